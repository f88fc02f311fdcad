package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.cuda.library.LoadedLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A library in Java with C's calling convention, whose start and heuristic succeed or fail as the test wants. */
@SuppressWarnings("restricted")
final class FakeCublasLt {
    static final int NOT_INITIALIZED = 1;
    static final int NOT_SUPPORTED = 15;

    private final Arena arena = Arena.ofAuto();
    private final Map<String, MemorySegment> functions = new HashMap<>();
    private final MemorySegment name = arena.allocateFrom("CUBLAS_STATUS_FAKE");
    private final MemorySegment text = arena.allocateFrom("a fake's text");

    int startStatus;
    int found = 1;
    int algorithmStatus;

    FakeCublasLt() throws ReflectiveOperationException {
        add("cublasLtCreate", "create", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        add("cublasLtGetVersion", "version", FunctionDescriptor.of(JAVA_LONG));
        add("cublasLtGetStatusName", "statusName", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        add("cublasLtGetStatusString", "statusText", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        add(
                "cublasLtMatmulAlgoGetHeuristic",
                "heuristic",
                FunctionDescriptor.of(
                        JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS,
                        ADDRESS));
    }

    private void add(String symbol, String method, FunctionDescriptor type) throws ReflectiveOperationException {
        MethodType javaType = type.toMethodType();
        MethodHandle handle = MethodHandles.lookup().bind(this, method, javaType);
        functions.put(symbol, Linker.nativeLinker().upcallStub(handle, type, arena));
    }

    /** Functions that are not faked exist, but must not be called. */
    LoadedLibrary library() {
        return new LoadedLibrary(
                Path.of("fake"),
                symbol -> Optional.of(functions.getOrDefault(symbol, functions.get("cublasLtGetVersion"))));
    }

    int create(MemorySegment reference) {
        return startStatus;
    }

    long version() {
        return 120903;
    }

    MemorySegment statusName(int status) {
        return name;
    }

    MemorySegment statusText(int status) {
        return text;
    }

    int heuristic(
            MemorySegment handle,
            MemorySegment product,
            MemorySegment a,
            MemorySegment b,
            MemorySegment c,
            MemorySegment d,
            MemorySegment preference,
            int wanted,
            MemorySegment results,
            MemorySegment count) {
        MemorySegment result = results.reinterpret(CublasLt.HEURISTIC.byteSize());
        // Returns the addresses in the algorithm, so that the test can check the arguments.
        MemorySegment[] received = {handle, product, a, b, c, d, preference};
        for (int i = 0; i < received.length; i++) {
            result.setAtIndex(JAVA_LONG, i, received[i].address());
        }
        result.set(JAVA_INT, 72, algorithmStatus);
        count.reinterpret(JAVA_INT.byteSize()).set(JAVA_INT, 0, found);
        return 0;
    }
}

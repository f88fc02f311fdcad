package dev.outpost.runtime.cuda.compile;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.runtime.cuda.library.CudaVersion;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import dev.outpost.runtime.cuda.library.NativeFunction;
import dev.outpost.runtime.cuda.library.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The binding of NVRTC, NVIDIA's compiler for kernels, of CUDA 12 or 13. It needs no GPU and no driver. */
public final class Nvrtc {
    private static final int COMPILATION_FAILED = 6;

    private final CudaCheck check;
    private final NativeFunction errorString;
    private final NativeFunction version;
    private final NativeFunction architectureCount;
    private final NativeFunction architectures;
    private final NativeFunction create;
    private final NativeFunction compile;
    private final NativeFunction destroy;
    private final Output log;
    private final Output cubin;
    private final Output ptx;

    /** The functions that return the size and the bytes of a program's output. */
    private record Output(NativeFunction size, NativeFunction bytes) {}

    /**
     * @param library libnvrtc
     * @throws java.util.NoSuchElementException if the library is not NVRTC
     */
    public Nvrtc(LoadedLibrary library) {
        check = new CudaCheck(this::text);
        errorString = library.function("nvrtcGetErrorString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        version = function(library, "nvrtcVersion", ADDRESS, ADDRESS);
        architectureCount = function(library, "nvrtcGetNumSupportedArchs", ADDRESS);
        architectures = function(library, "nvrtcGetSupportedArchs", ADDRESS);
        create = function(library, "nvrtcCreateProgram", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
        compile = function(library, "nvrtcCompileProgram", ADDRESS, JAVA_INT, ADDRESS);
        destroy = function(library, "nvrtcDestroyProgram", ADDRESS);
        log = output(library, "nvrtcGetProgramLog");
        cubin = output(library, "nvrtcGetCUBIN");
        ptx = output(library, "nvrtcGetPTX");
    }

    private static NativeFunction function(LoadedLibrary library, String name, MemoryLayout... parameters) {
        return library.function(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private static Output output(LoadedLibrary library, String name) {
        return new Output(
                function(library, name + "Size", ADDRESS, ADDRESS), function(library, name, ADDRESS, ADDRESS));
    }

    private String text(int code) {
        return NativeText.at(errorString.callPointer(code), "NVRTC does not know this code");
    }

    private void call(NativeFunction function, Object... arguments) {
        check.check(function.name(), function.callInt(arguments));
    }

    public CudaVersion version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            call(version, major, minor);
            return new CudaVersion(major.get(JAVA_INT, 0), minor.get(JAVA_INT, 0));
        }
    }

    /** Returns the compute capabilities that the compiler supports, ascending: 75, 80, … */
    public List<Integer> architectures() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            call(architectureCount, count);
            MemorySegment numbers = arena.allocate(JAVA_INT, count.get(JAVA_INT, 0));
            call(architectures, numbers);
            return IntStream.of(numbers.toArray(JAVA_INT)).sorted().boxed().toList();
        }
    }

    /**
     * Returns the target for a device of that compute capability, 90 for 9.0.
     *
     * @throws IllegalArgumentException if the compiler no longer supports it
     */
    public CompileTarget targetFor(int architecture) {
        return CompileTarget.forDevice(architecture, architectures());
    }

    /**
     * Compiles a source.
     *
     * @param name the name of the source in the compiler's log
     * @param source CUDA C++; kernels that are looked up by name are {@code extern "C"}
     * @param options options of the compiler, besides the target
     * @return machine code, or PTX followed by a zero byte, as {@link CompileTarget#form} says
     * @throws CompilationException if the source has an error; its message contains the compiler's log
     * @throws dev.outpost.runtime.cuda.library.CudaException if the compiler fails
     */
    public byte[] compile(String name, String source, CompileTarget target, String... options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment reference = arena.allocate(ADDRESS);
            MemorySegment text = arena.allocateFrom(source);
            call(create, reference, text, arena.allocateFrom(name), 0, MemorySegment.NULL, MemorySegment.NULL);
            try {
                MemorySegment program = reference.get(ADDRESS, 0);
                compile(program, name, Stream.concat(Stream.of(target.option()), Stream.of(options)), arena);
                return switch (target.form()) {
                    case CUBIN -> read(cubin, program);
                    case PTX -> read(ptx, program);
                };
            } finally {
                call(destroy, reference);
            }
        }
    }

    private void compile(MemorySegment program, String name, Stream<String> options, Arena arena) {
        List<MemorySegment> texts = options.map(arena::allocateFrom).toList();
        MemorySegment list = arena.allocate(ADDRESS, texts.size());
        IntStream.range(0, texts.size()).forEach(i -> list.setAtIndex(ADDRESS, i, texts.get(i)));
        int code = compile.callInt(program, texts.size(), list);
        if (code == COMPILATION_FAILED) {
            String text = new String(read(log, program), StandardCharsets.UTF_8);
            throw new CompilationException(
                    name + ": does not compile:", text.replace("\0", "").strip());
        }
        check.check(compile.name(), code);
    }

    private byte[] read(Output output, MemorySegment program) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_LONG);
            call(output.size(), program, size);
            MemorySegment bytes = arena.allocate(size.get(JAVA_LONG, 0));
            call(output.bytes(), program, bytes);
            return bytes.toArray(JAVA_BYTE);
        }
    }
}

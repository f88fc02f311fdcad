package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.cuda.library.LoadedLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A library in Java that multiplies batches of float32 matrices as cuBLASLt does: by columns. */
@SuppressWarnings("restricted")
final class ColumnMajorCublasLt {
    private static final long EVERYTHING = Long.MAX_VALUE;

    /** A description or a layout: its creation arguments, and its attributes by number. */
    private record Made(List<Long> with, Map<Integer, Long> attributes) {}

    private final Arena arena = Arena.ofAuto();
    private final Map<String, MemorySegment> functions = new HashMap<>();
    private final List<Made> made = new ArrayList<>(List.of(new Made(List.of(), Map.of())));
    private long latestComputeType;

    ColumnMajorCublasLt() throws ReflectiveOperationException {
        bind("cublasLtMatmulDescCreate", "createTwo", ADDRESS, JAVA_INT, JAVA_INT);
        bind("cublasLtMatmulDescSetAttribute", "set", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        bind("cublasLtMatrixLayoutCreate", "createLayout", ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        bind("cublasLtMatrixLayoutSetAttribute", "set", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        bind("cublasLtMatmulPreferenceCreate", "create", ADDRESS);
        bind("cublasLtMatmulPreferenceSetAttribute", "set", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        bind("cublasLtMatmulAlgoGetHeuristic", "heuristic", pointersAnd(7, JAVA_INT, ADDRESS, ADDRESS));
        bind("cublasLtMatmul", "multiply", pointersAnd(14, JAVA_LONG, ADDRESS));
        bind("destroy", "destroy", ADDRESS);
    }

    private static MemoryLayout[] pointersAnd(int pointers, MemoryLayout... others) {
        return Stream.concat(Collections.nCopies(pointers, ADDRESS).stream(), Stream.of(others))
                .toArray(MemoryLayout[]::new);
    }

    private void bind(String symbol, String method, MemoryLayout... parameters) throws ReflectiveOperationException {
        FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, parameters);
        functions.put(
                symbol,
                Linker.nativeLinker()
                        .upcallStub(MethodHandles.lookup().bind(this, method, type.toMethodType()), type, arena));
    }

    /** The compute type of the latest description, by cuBLAS' number. */
    long latestComputeType() {
        return latestComputeType;
    }

    LoadedLibrary library() {
        return new LoadedLibrary(
                Path.of("fake"), symbol -> Optional.of(functions.getOrDefault(symbol, functions.get("destroy"))));
    }

    private int make(MemorySegment reference, List<Long> with) {
        made.add(new Made(with, new HashMap<>()));
        reference.reinterpret(ADDRESS.byteSize()).set(JAVA_LONG, 0, made.size() - 1);
        return 0;
    }

    int create(MemorySegment reference) {
        return make(reference, List.of());
    }

    int createTwo(MemorySegment reference, int compute, int scale) {
        latestComputeType = compute;
        return make(reference, List.of((long) compute, (long) scale));
    }

    int createLayout(MemorySegment reference, int type, long rows, long columns, long leading) {
        return make(reference, List.of((long) type, rows, columns, leading));
    }

    int destroy(MemorySegment object) {
        return 0;
    }

    int set(MemorySegment object, int attribute, MemorySegment value, long bytes) {
        MemorySegment read = value.reinterpret(bytes);
        long number = bytes == Integer.BYTES ? read.get(JAVA_INT, 0) : read.get(JAVA_LONG, 0);
        made.get((int) object.address()).attributes.put(attribute, number);
        return 0;
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
        count.reinterpret(Integer.BYTES).set(JAVA_INT, 0, 1);
        return 0;
    }

    int multiply(
            MemorySegment handle,
            MemorySegment product,
            MemorySegment alpha,
            MemorySegment a,
            MemorySegment layoutA,
            MemorySegment b,
            MemorySegment layoutB,
            MemorySegment beta,
            MemorySegment c,
            MemorySegment layoutC,
            MemorySegment d,
            MemorySegment layoutD,
            MemorySegment algorithm,
            MemorySegment workspace,
            long workspaceBytes,
            MemorySegment stream) {
        Map<Integer, Long> transposes = made.get((int) product.address()).attributes;
        Matrices left = new Matrices(a, made.get((int) layoutA.address()), transposes.get(3) == 1);
        Matrices right = new Matrices(b, made.get((int) layoutB.address()), transposes.get(4) == 1);
        Matrices result = new Matrices(d, made.get((int) layoutD.address()), false);
        for (long batch = 0; batch < result.batch(); batch++) {
            for (long row = 0; row < result.rows(); row++) {
                for (long column = 0; column < result.columns(); column++) {
                    double sum = 0;
                    for (long k = 0; k < left.columns(); k++) {
                        sum += (double) left.at(batch, row, k) * right.at(batch, k, column);
                    }
                    result.put(batch, row, column, (float) sum);
                }
            }
        }
        return left.columns() == right.rows() ? 0 : 7;
    }

    /** A batch of matrices by columns. */
    private record Matrices(MemorySegment start, Made layout, boolean transposed) {
        long rows() {
            return layout.with.get(transposed ? 2 : 1);
        }

        long columns() {
            return layout.with.get(transposed ? 1 : 2);
        }

        long batch() {
            return layout.attributes.get(5);
        }

        private long place(long batch, long row, long column) {
            long leading = layout.with.get(3);
            return batch * layout.attributes.get(6) + (transposed ? row * leading + column : column * leading + row);
        }

        float at(long batch, long row, long column) {
            return start.reinterpret(EVERYTHING).getAtIndex(JAVA_FLOAT, place(batch, row, column));
        }

        void put(long batch, long row, long column, float value) {
            start.reinterpret(EVERYTHING).setAtIndex(JAVA_FLOAT, place(batch, row, column), value);
        }
    }
}

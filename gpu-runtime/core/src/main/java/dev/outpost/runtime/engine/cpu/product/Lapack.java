package dev.outpost.runtime.engine.cpu.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.types.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The LAPACK that is part of OpenBLAS, for one dtype, on column-major matrices in native memory. The matrices are in
 * native memory because a factorization takes long, and the heap must not be pinned meanwhile. Works on the caller's
 * thread alone.
 */
@SuppressWarnings("restricted")
final class Lapack {
    private static final int COLUMN_MAJOR = 102;
    private static final int LEFT = 141;
    private static final int UPPER = 121;
    private static final int LOWER = 122;
    private static final int AS_IS = 111;
    private static final int UNIT = 132;
    private static final int NOT_UNIT = 131;
    /** The length of the working space that makes LAPACK return the best length instead of computing. */
    private static final int ASKING = -1;

    private final DType dtype;
    private final MethodHandle potrf;
    private final MethodHandle getrf;
    private final MethodHandle trsm;
    private final MethodHandle geqrf;
    private final MethodHandle orgqr;
    private final MethodHandle syevd;
    private final MethodHandle geev;
    private final MethodHandle gesdd;

    /** @param dtype float32 or float64 */
    Lapack(SymbolLookup library, DType dtype) {
        this.dtype = dtype;
        MemoryLayout number = dtype == DType.FLOAT32 ? JAVA_FLOAT : JAVA_DOUBLE;
        potrf = lapack(library, "potrf", JAVA_INT, JAVA_BYTE, JAVA_INT, ADDRESS, JAVA_INT);
        getrf = lapack(library, "getrf", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
        geqrf = lapack(library, "geqrf", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        orgqr = lapack(
                library, "orgqr", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS,
                JAVA_INT);
        syevd = lapack(
                library, "syevd", JAVA_INT, JAVA_BYTE, JAVA_BYTE, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS,
                JAVA_INT, ADDRESS, JAVA_INT);
        geev = lapack(
                library, "geev", JAVA_INT, JAVA_BYTE, JAVA_BYTE, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS,
                JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        gesdd = lapack(
                library, "gesdd", JAVA_INT, JAVA_BYTE, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS,
                JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
        trsm = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow("cblas_" + letter() + "trsm"),
                        FunctionDescriptor.ofVoid(
                                JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, number, ADDRESS,
                                JAVA_INT, ADDRESS, JAVA_INT));
    }

    private char letter() {
        return dtype == DType.FLOAT32 ? 's' : 'd';
    }

    private MethodHandle lapack(SymbolLookup library, String name, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow("LAPACKE_" + letter() + name + "_work"),
                        FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** A call with working space. It returns a number other than 0 if it failed. */
    @FunctionalInterface
    private interface Call {
        int with(MemorySegment work, int length) throws Throwable;
    }

    /** Asks LAPACK for the size of the working space, and then makes the call with a space of this size. */
    private int call(Arena arena, Call call) {
        try {
            MemorySegment wanted = numbers(arena, 1);
            call.with(wanted, ASKING);
            int length = (int) Math.max(1, Math.ceil(number(wanted)));
            return call.with(numbers(arena, length), length);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private MemorySegment numbers(Arena arena, long count) {
        return NativeMatrix.allocate(arena, dtype, count).memory();
    }

    private double number(MemorySegment one) {
        return dtype == DType.FLOAT32 ? one.get(JAVA_FLOAT, 0) : one.get(JAVA_DOUBLE, 0);
    }

    // ---- triangles

    /** Stores U of {@code a = Uᵀ U} in a's upper triangle. Returns 0, or the number of the first minor that is not positive. */
    int cholesky(int n, MemorySegment a) {
        try {
            return (int) potrf.invokeExact(COLUMN_MAJOR, (byte) 'U', n, a, n);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Stores L and U in a. Stores in pivots, for each row, the row with which it was exchanged, counted from 1. */
    void lu(int m, int n, MemorySegment a, MemorySegment pivots) {
        try {
            // The call returns the position of a zero on U's diagonal, which is also visible in the result.
            int zero = (int) getrf.invokeExact(COLUMN_MAJOR, m, n, a, m, pivots);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Stores the x of {@code a x = b} in b, which has k columns. */
    void solveTriangular(boolean upper, boolean unit, int n, int k, MemorySegment a, MemorySegment b) {
        int triangle = upper ? UPPER : LOWER;
        int diagonal = unit ? UNIT : NOT_UNIT;
        try {
            if (dtype == DType.FLOAT32) {
                trsm.invokeExact(COLUMN_MAJOR, LEFT, triangle, AS_IS, diagonal, n, k, 1f, a, n, b, n);
            } else {
                trsm.invokeExact(COLUMN_MAJOR, LEFT, triangle, AS_IS, diagonal, n, k, 1.0, a, n, b, n);
            }
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // ---- orthogonal factors

    /** Stores R and the reflections in a. */
    void reflections(Arena arena, int m, int n, MemorySegment a, MemorySegment factors) {
        call(arena, (work, length) -> (int) geqrf.invokeExact(COLUMN_MAJOR, m, n, a, m, factors, work, length));
    }

    /** Replaces the k reflections in a by the first {@code columns} columns of their product. */
    void product(Arena arena, int m, int columns, int k, MemorySegment a, MemorySegment factors) {
        call(arena, (work, length) ->
                (int) orgqr.invokeExact(COLUMN_MAJOR, m, columns, k, a, m, factors, work, length));
    }

    /** Reads the upper triangle of a and leaves eigenvectors in a. Returns true if the iteration converged. */
    boolean eigenvalues(Arena arena, boolean vectors, int n, MemorySegment a, MemorySegment values) {
        byte job = (byte) (vectors ? 'V' : 'N');
        // The size that LAPACK's documentation prescribes.
        int integers = vectors ? 3 + 5 * n : 1;
        MemorySegment whole = arena.allocate(JAVA_INT, integers);
        return call(arena, (work, length) -> (int) syevd.invokeExact(
                        COLUMN_MAJOR,
                        job,
                        (byte) 'U',
                        n,
                        a,
                        n,
                        values,
                        work,
                        length,
                        whole,
                        length == ASKING ? ASKING : integers))
                == 0;
    }

    /**
     * Leaves the real and imaginary parts of the eigenvalues, and the vectors in LAPACK's packed form. Returns true if the iteration
     * converged.
     */
    boolean eigenvalues(
            Arena arena,
            boolean vectors,
            int n,
            MemorySegment a,
            MemorySegment real,
            MemorySegment imaginary,
            MemorySegment right) {
        byte job = (byte) (vectors ? 'V' : 'N');
        int rows = vectors ? n : 1;
        return call(arena, (work, length) -> (int) geev.invokeExact(
                        COLUMN_MAJOR, (byte) 'N', job, n, a, n, real, imaginary, right, 1, right, rows, work, length))
                == 0;
    }

    /**
     * Computes singular values and vectors into the given arrays.
     *
     * @param job A for all vectors, S for as many as the smaller side has, N for none
     * @param kept the number of rows of vt
     * @return true if the iteration converged
     */
    boolean singularValues(
            Arena arena,
            char job,
            int m,
            int n,
            MemorySegment a,
            MemorySegment values,
            MemorySegment u,
            MemorySegment vt,
            int kept) {
        MemorySegment whole = arena.allocate(JAVA_INT, 8L * Math.min(m, n));
        return call(arena, (work, length) -> (int) gesdd.invokeExact(
                        COLUMN_MAJOR, (byte) job, m, n, a, m, values, u, m, vt, kept, work, length, whole))
                == 0;
    }
}

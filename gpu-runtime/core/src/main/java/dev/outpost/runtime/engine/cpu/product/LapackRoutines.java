package dev.outpost.runtime.engine.cpu.product;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.engine.cpu.memory.NativeMemoryLimiter;
import dev.outpost.runtime.engine.factorization.MatrixView;
import dev.outpost.runtime.engine.factorization.PlainRoutines;
import dev.outpost.runtime.engine.factorization.Routines;
import dev.outpost.types.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Calls LAPACK on copies of the matrices in native memory. A matrix is copied column by column. If LAPACK can compute
 * the transposed factors, the matrix is copied row by row instead, because most matrices are stored by rows.
 */
public final class LapackRoutines implements Routines {
    /** The maximum number of columns that are processed together. */
    private static final int BLOCK = 128;

    private final Routines plain = new PlainRoutines();
    private final OpenBlas blas;
    private final NativeMemoryLimiter room;

    public LapackRoutines(OpenBlas blas, NativeMemoryLimiter room) {
        this.blas = blas;
        this.room = room;
    }

    private Lapack lapack(MatrixView matrix) {
        return blas.lapack(matrix.elements().dtype());
    }

    private NativeMemoryLimiter.Share take(String what, MatrixView matrix, double elements) {
        return room.take(what, elements * matrix.elements().dtype().bytes());
    }

    private static double elements(MatrixView matrix) {
        return (double) matrix.rows() * matrix.columns();
    }

    // ---- triangles

    /** Passes the matrix row by row, because the lower triangle by rows is the upper triangle by columns. */
    @Override
    public int cholesky(MatrixView a, MatrixView result) {
        try (NativeMemoryLimiter.Share share = take("cholesky", a, elements(a))) {
            Arena arena = share.arena();
            NativeMatrix factor = NativeMatrix.of(arena, a.transposed());
            int minor = lapack(a).cholesky(a.rows(), factor.memory());
            factor.copyTo(result.transposed());
            for (int row = 0; minor == 0 && row < a.rows(); row++) {
                // LAPACK accepted this minor although it is not positive.
                minor = result.get(row, row) > 0 ? 0 : row + 1;
                clearBehind(result, row);
            }
            return minor;
        }
    }

    private static void clearBehind(MatrixView lower, int row) {
        for (int column = row + 1; column < lower.columns(); column++) {
            lower.set(row, column, 0);
        }
    }

    @Override
    public void lu(MatrixView a, MatrixView result, int[] pivots) {
        try (NativeMemoryLimiter.Share share = take("lu_factor", a, elements(a) + pivots.length)) {
            Arena arena = share.arena();
            NativeMatrix factors = NativeMatrix.of(arena, a);
            MemorySegment exchanges = arena.allocate(JAVA_INT, pivots.length);
            lapack(a).lu(a.rows(), a.columns(), factors.memory(), exchanges);
            factors.copyTo(result);
            MemorySegment.copy(exchanges, JAVA_INT, 0, pivots, 0, pivots.length);
        }
    }

    @Override
    public void solveTriangular(boolean upper, boolean unit, MatrixView a, MatrixView b, MatrixView x) {
        try (NativeMemoryLimiter.Share share = take("solve_triangular", a, elements(a) + elements(b))) {
            Arena arena = share.arena();
            NativeMatrix triangle = NativeMatrix.of(arena, a);
            NativeMatrix solved = NativeMatrix.of(arena, b);
            lapack(a).solveTriangular(upper, unit, b.rows(), b.columns(), triangle.memory(), solved.memory());
            solved.copyTo(x);
        }
    }

    // ---- orthogonal factors

    @Override
    public void reflections(MatrixView a, MatrixView packed, double[] factors) {
        double work = (double) BLOCK * a.columns() + factors.length;
        try (NativeMemoryLimiter.Share share = take("qr", a, elements(a) + work)) {
            Arena arena = share.arena();
            NativeMatrix reduced = NativeMatrix.of(arena, a);
            NativeMatrix numbers = NativeMatrix.allocate(arena, a.elements().dtype(), factors.length);
            lapack(a).reflections(arena, a.rows(), a.columns(), reduced.memory(), numbers.memory());
            reduced.copyTo(packed);
            copyTo(factors, numbers);
        }
    }

    @Override
    public void product(MatrixView packed, double[] factors, MatrixView q) {
        double work = (double) BLOCK * q.columns() + factors.length;
        try (NativeMemoryLimiter.Share share = take("qr", q, Math.max(elements(packed), elements(q)) + work)) {
            Arena arena = share.arena();
            DType dtype = q.elements().dtype();
            NativeMatrix product = NativeMatrix.allocate(arena, dtype, (long) q.rows() * q.columns());
            product.copyFrom(packed.firstColumns(factors.length));
            NativeMatrix numbers = NativeMatrix.allocate(arena, dtype, factors.length);
            numbers.copyFrom(factors);
            lapack(q).product(arena, q.rows(), q.columns(), factors.length, product.memory(), numbers.memory());
            product.copyTo(q);
        }
    }

    /** Passes the matrix row by row, because the lower triangle by rows is the upper triangle by columns. */
    @Override
    public boolean eigenvalues(MatrixView a, double[] values, MatrixView vectors) {
        int n = a.rows();
        double work = vectors == null ? (BLOCK + 2.0) * n : 2 * elements(a) + (BLOCK + 12.0) * n;
        try (NativeMemoryLimiter.Share share = take("eigh", a, elements(a) + work)) {
            Arena arena = share.arena();
            NativeMatrix matrix = NativeMatrix.of(arena, a.transposed());
            NativeMatrix numbers = NativeMatrix.allocate(arena, a.elements().dtype(), n);
            boolean isConverged = lapack(a).eigenvalues(arena, vectors != null, n, matrix.memory(), numbers.memory());
            copyTo(values, numbers);
            if (vectors != null) {
                matrix.copyTo(vectors);
            }
            return isConverged;
        }
    }

    @Override
    public boolean eigenvalues(MatrixView a, double[] real, double[] imaginary, MatrixView vectors) {
        int n = a.rows();
        double work = (vectors == null ? 0 : elements(a)) + (BLOCK + 6.0) * n;
        try (NativeMemoryLimiter.Share share = take("eig", a, elements(a) + work)) {
            Arena arena = share.arena();
            DType dtype = a.elements().dtype();
            NativeMatrix matrix = NativeMatrix.of(arena, a);
            NativeMatrix reals = NativeMatrix.allocate(arena, dtype, n);
            NativeMatrix imaginaries = NativeMatrix.allocate(arena, dtype, n);
            NativeMatrix right = NativeMatrix.allocate(arena, dtype, vectors == null ? 1 : (long) n * n);
            boolean isConverged = lapack(a)
                    .eigenvalues(
                            arena,
                            vectors != null,
                            n,
                            matrix.memory(),
                            reals.memory(),
                            imaginaries.memory(),
                            right.memory());
            copyTo(real, reals);
            copyTo(imaginary, imaginaries);
            if (vectors != null) {
                right.copyTo(vectors);
            }
            return isConverged;
        }
    }

    /** U of the transposed matrix is V, and its Vᵀ is Uᵀ. All of them are stored by rows. */
    @Override
    public boolean singularValues(MatrixView a, double[] values, MatrixView u, MatrixView vh) {
        if (values.length == 0) {
            return plain.singularValues(a, values, u, vh);
        }
        double vectors = u == null ? 0 : elements(u) + elements(vh);
        double min = values.length;
        double max = Math.max(a.rows(), a.columns());
        double work = u == null ? (BLOCK + 16) * (max + min) : 6 * min * min + (BLOCK + 16) * (max + min);
        try (NativeMemoryLimiter.Share share = take("svd", a, elements(a) + vectors + work)) {
            Arena arena = share.arena();
            DType dtype = a.elements().dtype();
            NativeMatrix matrix = NativeMatrix.of(arena, a.transposed());
            NativeMatrix numbers = NativeMatrix.allocate(arena, dtype, values.length);
            NativeMatrix left = NativeMatrix.allocate(arena, dtype, u == null ? 1 : (long) vh.rows() * vh.columns());
            NativeMatrix right = NativeMatrix.allocate(arena, dtype, u == null ? 1 : (long) u.rows() * u.columns());
            boolean isConverged = lapack(a)
                    .singularValues(
                            arena,
                            job(a, u, vh),
                            a.columns(),
                            a.rows(),
                            matrix.memory(),
                            numbers.memory(),
                            left.memory(),
                            right.memory(),
                            u == null ? 1 : u.columns());
            copyTo(values, numbers);
            if (u != null) {
                left.copyTo(vh.transposed());
                right.copyTo(u.transposed());
            }
            return isConverged;
        }
    }

    private static char job(MatrixView a, MatrixView u, MatrixView vh) {
        if (u == null) {
            return 'N';
        }
        return u.columns() == a.rows() && vh.rows() == a.columns() ? 'A' : 'S';
    }

    private static void copyTo(double[] numbers, NativeMatrix from) {
        for (int place = 0; place < numbers.length; place++) {
            numbers[place] = from.dtype() == DType.FLOAT32
                    ? from.memory().getAtIndex(JAVA_FLOAT, place)
                    : from.memory().getAtIndex(JAVA_DOUBLE, place);
        }
    }
}

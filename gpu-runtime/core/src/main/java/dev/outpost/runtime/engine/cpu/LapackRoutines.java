package dev.outpost.runtime.engine.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.engine.factorization.MatrixView;
import dev.outpost.runtime.engine.factorization.Routines;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * LAPACK on copies in native memory. A matrix goes there column by column, which of one that is read transposed is how it
 * lies; where LAPACK's way is the transposed one, it is told so instead.
 */
final class LapackRoutines implements Routines {
    private final OpenBlas blas;

    LapackRoutines(OpenBlas blas) {
        this.blas = blas;
    }

    private Lapack lapack(MatrixView matrix) {
        return blas.lapack(matrix.elements().dtype());
    }

    /** The lower triangle, row by row, is the upper one, column by column. */
    @Override
    public int cholesky(MatrixView a, MatrixView result) {
        int n = a.rows();
        try (Arena arena = Arena.ofConfined()) {
            NativeMatrix factor = NativeMatrix.of(arena, a.transposed());
            int minor = lapack(a).cholesky(n, factor.memory());
            factor.copyTo(result.transposed());
            for (int row = 0; minor == 0 && row < n; row++) {
                // What the library let through.
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
        try (Arena arena = Arena.ofConfined()) {
            NativeMatrix factors = NativeMatrix.of(arena, a);
            MemorySegment exchanges = arena.allocate(JAVA_INT, pivots.length);
            lapack(a).lu(a.rows(), a.columns(), factors.memory(), exchanges);
            factors.copyTo(result);
            MemorySegment.copy(exchanges, JAVA_INT, 0, pivots, 0, pivots.length);
        }
    }

    @Override
    public void solveTriangular(boolean upper, boolean unit, MatrixView a, MatrixView b, MatrixView x) {
        try (Arena arena = Arena.ofConfined()) {
            NativeMatrix triangle = NativeMatrix.of(arena, a);
            NativeMatrix solved = NativeMatrix.of(arena, b);
            lapack(a).solveTriangular(upper, unit, b.rows(), b.columns(), triangle.memory(), solved.memory());
            solved.copyTo(x);
        }
    }
}

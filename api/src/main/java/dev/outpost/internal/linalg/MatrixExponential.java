package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.DType;

/**
 * Computes exp(A) by the first 19 terms of its series. The matrices are halved until this many terms suffice, and the result is squared
 * as many times. The bounds are those of Bader, Blanes and Casas, "Computing the matrix exponential with an optimized Taylor polynomial
 * approximation", 2019.
 */
public final class MatrixExponential {
    private static final double FLOAT32_BOUND = 3.010066362817634;
    private static final double FLOAT64_BOUND = 1.090863719290036;

    /** The number of terms in a group that share a power of the matrix. */
    private static final int GROUP = 3;

    private static final int GROUPS = 6;

    private MatrixExponential() {}

    public static Tensor of(Tensor matrices) {
        LinearSystems.requireSquare("matrix_exp", matrices);
        if (matrices.numel() == 0) {
            return matrices.clone();
        }
        int squarings = squarings(matrices);
        Tensor power = series(matrices.mul(Math.scalb(1.0, -squarings)));
        for (int squaring = 0; squaring < squarings; squaring++) {
            power = power.matmul(power);
        }
        return power;
    }

    /** Returns the number of squarings, from the largest norm. Waits for the norm. */
    private static int squarings(Tensor matrices) {
        double bound = matrices.dtype() == DType.FLOAT32 ? FLOAT32_BOUND : FLOAT64_BOUND;
        double norm = GradMode.noGrad(
                () -> Linalg.matrixNorm(matrices.detach(), 1).max().itemDouble());
        return Double.isFinite(norm) && norm > bound ? Math.getExponent(norm / bound) + 1 : 0;
    }

    /** Evaluates the series by Horner's rule in powers of the cube. */
    private static Tensor series(Tensor a) {
        Tensor square = a.matmul(a);
        Tensor cube = square.matmul(a);
        Tensor sum = terms(GROUPS - 1, a, square).add(cube.mul(coefficient(GROUP * GROUPS)));
        for (int group = GROUPS - 2; group >= 0; group--) {
            sum = terms(group, a, square).add(cube.matmul(sum));
        }
        return sum;
    }

    private static Tensor terms(int group, Tensor a, Tensor square) {
        int first = GROUP * group;
        return LinearSystems.unit(a)
                .mul(coefficient(first))
                .add(a.mul(coefficient(first + 1)))
                .add(square.mul(coefficient(first + 2)));
    }

    /** Returns 1 / power!. */
    private static double coefficient(int power) {
        double factorial = 1;
        for (int factor = 2; factor <= power; factor++) {
            factorial *= factor;
        }
        return 1 / factorial;
    }
}

package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.Arrays;

/**
 * A product of small matrices of floats, or some of its rows: {@code c = factor · a b}. Calling a library takes longer than such a
 * product. Every element is summed in the order of its terms, with one rounding for each term ({@code fma}), so its bits depend on
 * nothing else.
 *
 * @param m the number of rows, a multiple of {@link #ROWS}
 * @param n the number of columns, a multiple of {@link #COLUMNS}
 * @param k the number of terms
 * @param a the left matrix, which begins at {@code atA}; its rows are {@code downA} and its columns {@code acrossA} elements apart
 * @param b the right matrix with adjacent columns
 * @param c the result with adjacent columns
 */
record SmallProduct(
        int m,
        int n,
        int k,
        float factor,
        float[] a,
        int atA,
        int downA,
        int acrossA,
        float[] b,
        int atB,
        int downB,
        float[] c,
        int atC,
        int downC) {
    /** The number of rows that are computed together. */
    static final int ROWS = 4;
    /** The number of columns that fill the widest register. */
    static final int COLUMNS = 16;
    /**
     * The number of multiplications up to which this code is faster than OpenBLAS: a product of 16 x 16 matrices takes OpenBLAS 85 to
     * 330 ns, and this code 72 to 100.
     */
    private static final int MAX = 16 * 16 * 16;
    /** The number of rows from which it is worth transposing a matrix whose columns are not adjacent. */
    private static final int MIN_ROWS = 16;

    private static final WarmupSwitch WARMUP = new WarmupSwitch();

    /** Returns true if products of that size are computed by this class. The answer depends only on the size, so that the bits do too. */
    static boolean isFor(int m, int n, int k) {
        return m >= MIN_ROWS && m % ROWS == 0 && n % COLUMNS == 0 && (long) m * n * k <= MAX;
    }

    /** {@code c = factor · a b}; {@code c} is not transposed. */
    static SmallProduct of(int m, int n, int k, float factor, Matrix a, Matrix b, Matrix c) {
        Matrix lines = b.transposed() ? turned(k, n, b) : b;
        return new SmallProduct(
                m,
                n,
                k,
                factor,
                (float[]) a.elements(),
                a.offset(),
                a.transposed() ? 1 : a.leading(),
                a.transposed() ? a.leading() : 1,
                (float[]) lines.elements(),
                lines.offset(),
                lines.leading(),
                (float[]) c.elements(),
                c.offset(),
                c.leading());
    }

    private static Matrix turned(int rows, int columns, Matrix matrix) {
        float[] from = (float[]) matrix.elements();
        float[] to = new float[rows * columns];
        for (int column = 0; column < columns; column++) {
            int at = matrix.offset() + column * matrix.leading();
            for (int row = 0; row < rows; row++) {
                to[row * columns + column] = from[at + row];
            }
        }
        return new Matrix(to, 0, false, columns);
    }

    void run() {
        if (!Vectors.PRESENT) {
            plain();
        } else if (WARMUP.isDone()) {
            VectorProducts.run(this);
        } else {
            WARMUP.both(
                    m * n,
                    ROWS * n,
                    (from, some) -> VectorProducts.run(rows(from / n, some / n)),
                    (from, some) -> rows(from / n, some / n).plain());
        }
    }

    private SmallProduct rows(int first, int count) {
        int fromA = atA + first * downA;
        int fromC = atC + first * downC;
        return new SmallProduct(count, n, k, factor, a, fromA, downA, acrossA, b, atB, downB, c, fromC, downC);
    }

    /** Adds {@code left[i][k] * right[k]} to row i of the result, for each i and k. */
    void plain() {
        for (int row = 0; row < m; row++) {
            int at = atC + row * downC;
            Arrays.fill(c, at, at + n, 0);
            for (int term = 0; term < k; term++) {
                add(a[atA + row * downA + term * acrossA], atB + term * downB, at);
            }
            for (int column = 0; column < n; column++) {
                c[at + column] *= factor;
            }
        }
    }

    private void add(float x, int line, int at) {
        for (int column = 0; column < n; column++) {
            c[at + column] = Math.fma(x, b[line + column], c[at + column]);
        }
    }
}

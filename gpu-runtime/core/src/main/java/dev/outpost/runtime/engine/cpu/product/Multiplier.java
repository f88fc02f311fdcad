package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.strip.Im2colCopies;
import dev.outpost.types.DType;
import java.util.Optional;

/**
 * Computes products of two matrices on the calling thread, and stores them or adds them to the result. Floats and doubles use a BLAS if
 * one is available.
 */
public final class Multiplier {
    private final DType dtype;
    private final Optional<Blas> blas;
    private final Elementwise elementwise;

    /** @param dtype float32, float64 or int64 */
    public Multiplier(DType dtype, Optional<Blas> blas, Elementwise elementwise) {
        this.dtype = dtype;
        this.blas = dtype.isFloating() ? blas : Optional.empty();
        this.elementwise = elementwise;
    }

    /** {@code c += a b}; {@code c} is not transposed. */
    public void add(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
        if (blas.isEmpty()) {
            loop(m, n, k, a, b, c);
        } else if (dtype == DType.FLOAT32) {
            blas.get().addFloats(m, n, k, a, b, c);
        } else {
            blas.get().addDoubles(m, n, k, a, b, c);
        }
    }

    /** {@code c = a b}; {@code c} is not transposed. */
    public void multiply(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
        if (blas.isEmpty()) {
            for (int row = 0; row < m; row++) {
                Im2colCopies.clear(c.elements(), c.from(row, 0).offset(), n);
            }
            loop(m, n, k, a, b, c);
        } else {
            multiply(m, n, k, 1, a, b, c);
        }
    }

    /** {@code c = factor · a b} for floats; {@code c} is not transposed. */
    public void multiply(int m, int n, int k, double factor, Matrix a, Matrix b, Matrix c) {
        if (blas.isEmpty()) {
            multiply(m, n, k, a, b, c);
            ScoreRows products = ScoreRows.of(c.elements());
            for (int row = 0; row < m; row++) {
                products.multiply(c.from(row, 0).offset(), n, factor);
            }
        } else if (dtype == DType.FLOAT32) {
            blas.get().multiplyFloats(m, n, k, (float) factor, a, b, c);
        } else {
            blas.get().multiplyDoubles(m, n, k, factor, a, b, c);
        }
    }

    /** Adds {@code left[i][k] * right[k]} to row i of the result, for each i and k. */
    private void loop(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
        int across = b.transposed() ? b.leading() : 1;
        ArrayLoop loop = elementwise.loop(
                Expression.multiplyAdd(dtype), Access.ALIGNED, Access.SCALAR, Access.of(across), Access.ALIGNED);
        Object[] arrays = {c.elements(), a.elements(), b.elements(), c.elements()};
        int[] strides = {1, 0, across, 1};
        for (int row = 0; row < m; row++) {
            int place = c.from(row, 0).offset();
            for (int term = 0; term < k; term++) {
                int[] offsets = {
                    place, a.from(row, term).offset(), b.from(term, 0).offset(), place
                };
                loop.run(arrays, offsets, strides, n);
            }
        }
    }
}

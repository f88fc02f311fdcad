package dev.outpost.runtime.engine.cpu.product;

import java.util.Optional;

/**
 * Products of matrices on the calling thread. They use OpenBLAS, oneDNN for most products of floats, and Outpost's own code for small
 * ones. The choice depends only on the size.
 */
public record Blas(OpenBlas openBlas) {

    /** Loads the libraries. Returns empty, and logs a warning, if OpenBLAS is not available. */
    public static Optional<Blas> load() {
        return OpenBlas.load().map(Blas::new);
    }

    /** {@code c = factor · a b} for float arrays. */
    void multiplyFloats(int m, int n, int k, float factor, Matrix a, Matrix b, Matrix c) {
        if (SmallProduct.isFor(m, n, k)) {
            SmallProduct.of(m, n, k, factor, a, b, c).run();
        } else {
            floats(m, n, k, factor, a, b, 0, c);
        }
    }

    /** {@code c += a b} for float arrays. */
    void addFloats(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
        floats(m, n, k, 1, a, b, 1, c);
    }

    private void floats(int m, int n, int k, float factor, Matrix a, Matrix b, float kept, Matrix c) {
        Optional<OneDnn> oneDnn = OneDnn.isFor(m, n, k) ? OneDnn.library() : Optional.empty();
        if (oneDnn.isPresent()) {
            oneDnn.get().multiply(m, n, k, factor, a, b, kept, c);
        } else {
            openBlas.floats(m, n, k, factor, a, b, kept, c);
        }
    }

    /** {@code c = factor · a b} for double arrays. */
    void multiplyDoubles(int m, int n, int k, double factor, Matrix a, Matrix b, Matrix c) {
        openBlas.doubles(m, n, k, factor, a, b, 0, c);
    }

    /** {@code c += a b} for double arrays. */
    void addDoubles(int m, int n, int k, Matrix a, Matrix b, Matrix c) {
        openBlas.doubles(m, n, k, 1, a, b, 1, c);
    }
}

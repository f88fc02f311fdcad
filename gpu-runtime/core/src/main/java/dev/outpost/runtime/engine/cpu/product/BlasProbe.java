package dev.outpost.runtime.engine.cpu.product;

import java.util.Arrays;

/** The state of a native library with which the CPU engine multiplies. */
public enum BlasProbe {
    /** The library cannot be loaded here. */
    MISSING,
    /** The library computes a wrong product. */
    WRONG,
    RIGHT;

    private static final int SIZE = 128;

    /** Loads OpenBLAS and multiplies two small matrices. */
    public static BlasProbe openBlas() {
        return OpenBlas.load()
                .map(library -> multiply(4, (m, a, b, c) -> library.floats(m, m, m, 1, a, b, 0, c)))
                .orElse(MISSING);
    }

    /** Loads oneDNN and multiplies two matrices of a size for which it is used. Also returns missing if oneDNN would be of no use here. */
    public static BlasProbe oneDnn() {
        return OneDnn.library()
                .map(library -> multiply(SIZE, (m, a, b, c) -> library.multiply(m, m, m, 1, a, b, 0, c)))
                .orElse(MISSING);
    }

    @FunctionalInterface
    private interface Product {
        void run(int size, Matrix a, Matrix b, Matrix c);
    }

    /** Small integers have an exact sum in any order. */
    private static BlasProbe multiply(int size, Product product) {
        float[] a = new float[size * size];
        float[] b = new float[size * size];
        float[] c = new float[size * size];
        float[] expected = new float[size * size];
        for (int place = 0; place < a.length; place++) {
            a[place] = place / size % 7;
            b[place] = place % size % 5;
            expected[place] = a[place] * b[place] * size;
        }
        product.run(size, matrix(a, size), matrix(b, size), matrix(c, size));
        return Arrays.equals(c, expected) ? RIGHT : WRONG;
    }

    private static Matrix matrix(float[] elements, int size) {
        return new Matrix(elements, 0, false, size);
    }
}

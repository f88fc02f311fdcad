package dev.outpost.runtime.engine.cpu;

import java.util.Arrays;
import java.util.Optional;

/** What can be told of the native BLAS that the CPU engine multiplies with. */
public enum BlasProbe {
    /** It cannot be loaded here: products run in Java. */
    MISSING,
    /** It computes something else than the product. */
    WRONG,
    RIGHT;

    /** Loads it and multiplies two small matrices. */
    public static BlasProbe run() {
        Optional<OpenBlas> blas = OpenBlas.load();
        if (blas.isEmpty()) {
            return MISSING;
        }
        float[] product = new float[4];
        Matrix a = new Matrix(new float[] {1, 2, 3, 4, 5, 6}, 0, false, 3);
        Matrix b = new Matrix(new float[] {7, 8, 9, 10, 11, 12}, 0, false, 2);
        blas.get().multiplyFloats(2, 2, 3, a, b, new Matrix(product, 0, false, 2));
        // Small integers: exact, in whatever order they are summed up.
        return Arrays.equals(product, new float[] {58, 64, 139, 154}) ? RIGHT : WRONG;
    }
}

package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** The loops of {@link SmallProduct} with vectors, for a register of columns of four rows at a time. They compute the same bits. */
final class VectorProducts {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorProducts() {}

    static void run(SmallProduct all) {
        for (int row = 0; row < all.m(); row += SmallProduct.ROWS) {
            for (int column = 0; column < all.n(); column += LANES) {
                four(all, row, column);
            }
        }
    }

    /** The value that is computed in the loop is the receiver, see {@link VectorMath#exact}. */
    private static void four(SmallProduct all, int row, int column) {
        float[] a = all.a();
        float[] b = all.b();
        int down = all.downA();
        int across = all.acrossA();
        int downB = all.downB();
        int atA = all.atA() + row * down;
        int atB = all.atB() + column;
        int terms = all.k();
        FloatVector v0 = FloatVector.zero(SPECIES);
        FloatVector v1 = FloatVector.zero(SPECIES);
        FloatVector v2 = FloatVector.zero(SPECIES);
        FloatVector v3 = FloatVector.zero(SPECIES);
        for (int term = 0; term < terms; term++) {
            FloatVector line = FloatVector.fromArray(SPECIES, b, atB);
            v0 = FloatVector.broadcast(SPECIES, a[atA]).fma(line, v0);
            v1 = FloatVector.broadcast(SPECIES, a[atA + down]).fma(line, v1);
            v2 = FloatVector.broadcast(SPECIES, a[atA + 2 * down]).fma(line, v2);
            v3 = FloatVector.broadcast(SPECIES, a[atA + 3 * down]).fma(line, v3);
            atA += across;
            atB += downB;
        }
        int downC = all.downC();
        int at = all.atC() + row * downC + column;
        float factor = all.factor();
        VectorMath.exact(v0).mul(factor).intoArray(all.c(), at);
        VectorMath.exact(v1).mul(factor).intoArray(all.c(), at + downC);
        VectorMath.exact(v2).mul(factor).intoArray(all.c(), at + 2 * downC);
        VectorMath.exact(v3).mul(factor).intoArray(all.c(), at + 3 * downC);
    }
}

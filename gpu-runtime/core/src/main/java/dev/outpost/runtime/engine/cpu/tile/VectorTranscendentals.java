package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link VectorTiles} for the exponential and for the functions that are made of it.
 *
 * <p>This file is generated from the templates of {@code VectorLoopsTest}, which says how to write it again.
 */
public final class VectorTranscendentals {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorTranscendentals() {}

    public static void exp(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.exp(x).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.exp(x).intoArray(r, at + i, rest);
        }
    }

    public static void expOfNegative(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.expOfNegative(x).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.expOfNegative(x).intoArray(r, at + i, rest);
        }
    }

    public static void tanh(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.tanh(x).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.tanh(x).intoArray(r, at + i, rest);
        }
    }

    public static void erfExponent(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.erfExponent(x).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.erfExponent(x).intoArray(r, at + i, rest);
        }
    }

    public static void joinErf(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            VectorMath.erf(x, y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            VectorMath.erf(x, y).intoArray(r, at + i, rest);
        }
    }

    public static void sigmoidExponent(
            float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.abs().neg().intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.abs().neg().intoArray(r, at + i, rest);
        }
    }

    public static void joinSigmoid(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            VectorMath.sigmoid(x, y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            VectorMath.sigmoid(x, y).intoArray(r, at + i, rest);
        }
    }
}

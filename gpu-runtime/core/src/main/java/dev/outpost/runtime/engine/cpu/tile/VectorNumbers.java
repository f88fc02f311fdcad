package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link NumberOp} for whole registers at a time; the same bits.
 *
 * <p>This file is generated from the templates of {@code VectorLoopsTest}, which says how to write it again.
 */
final class VectorNumbers {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorNumbers() {}

    static void add(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.add(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.add(y).intoArray(r, at + i, rest);
        }
    }

    static void sub(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.sub(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.sub(y).intoArray(r, at + i, rest);
        }
    }

    static void mul(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.mul(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.mul(y).intoArray(r, at + i, rest);
        }
    }

    static void div(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.div(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.div(y).intoArray(r, at + i, rest);
        }
    }

    static void expOfSub(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.exp(x.sub(y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.exp(x.sub(y)).intoArray(r, at + i, rest);
        }
    }

    static void expOfFall(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.expOfNegative(x.sub(y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.expOfNegative(x.sub(y)).intoArray(r, at + i, rest);
        }
    }
}

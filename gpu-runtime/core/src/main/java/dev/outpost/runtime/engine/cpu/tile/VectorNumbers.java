package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/** The loops of {@link NumberOp} for whole registers at a time; the same bits. */
final class VectorNumbers {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorNumbers() {}

    static void add(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, a, atA + i).add(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector.fromArray(SPECIES, a, atA + i, rest).add(y).intoArray(r, at + i, rest);
        }
    }

    static void sub(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, a, atA + i).sub(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector.fromArray(SPECIES, a, atA + i, rest).sub(y).intoArray(r, at + i, rest);
        }
    }

    static void mul(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, a, atA + i).mul(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector.fromArray(SPECIES, a, atA + i, rest).mul(y).intoArray(r, at + i, rest);
        }
    }

    static void div(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector.fromArray(SPECIES, a, atA + i).div(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector.fromArray(SPECIES, a, atA + i, rest).div(y).intoArray(r, at + i, rest);
        }
    }

    static void expOfSub(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            VectorMath.exp(FloatVector.fromArray(SPECIES, a, atA + i).sub(y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            VectorMath.exp(FloatVector.fromArray(SPECIES, a, atA + i, rest).sub(y))
                    .intoArray(r, at + i, rest);
        }
    }

    static void expOfFall(float[] a, int atA, float number, float[] r, int at, int count) {
        FloatVector y = FloatVector.broadcast(SPECIES, number);
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            VectorMath.expOfNegative(FloatVector.fromArray(SPECIES, a, atA + i).sub(y))
                    .intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            VectorMath.expOfNegative(
                            FloatVector.fromArray(SPECIES, a, atA + i, rest).sub(y))
                    .intoArray(r, at + i, rest);
        }
    }
}

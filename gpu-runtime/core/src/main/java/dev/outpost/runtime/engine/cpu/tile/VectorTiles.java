package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link ScalarTiles} for whole registers at a time; the same bits. One loop an operation, compiled once for all
 * programs. A masked step computes the elements behind the last whole register.
 *
 * <p>This file is generated from the templates of {@code VectorLoopsTest}, which says how to write it again.
 */
public final class VectorTiles {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorTiles() {}

    static void add(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.add(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.add(y).intoArray(r, at + i, rest);
        }
    }

    static void sub(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.sub(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.sub(y).intoArray(r, at + i, rest);
        }
    }

    static void mul(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.mul(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.mul(y).intoArray(r, at + i, rest);
        }
    }

    static void div(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.div(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.div(y).intoArray(r, at + i, rest);
        }
    }

    static void maximum(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.max(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.max(y).intoArray(r, at + i, rest);
        }
    }

    static void minimum(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            x.min(y).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            x.min(y).intoArray(r, at + i, rest);
        }
    }

    static void eq(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.EQ, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.EQ, y)).intoArray(r, at + i, rest);
        }
    }

    static void ne(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.NE, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.NE, y)).intoArray(r, at + i, rest);
        }
    }

    static void lt(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.LT, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.LT, y)).intoArray(r, at + i, rest);
        }
    }

    static void le(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.LE, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.LE, y)).intoArray(r, at + i, rest);
        }
    }

    static void gt(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.GT, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.GT, y)).intoArray(r, at + i, rest);
        }
    }

    static void ge(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
            flag(x.compare(VectorOperators.GE, y)).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
            flag(x.compare(VectorOperators.GE, y)).intoArray(r, at + i, rest);
        }
    }

    static void neg(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.neg().intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.neg().intoArray(r, at + i, rest);
        }
    }

    static void abs(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.abs().intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.abs().intoArray(r, at + i, rest);
        }
    }

    static void sqrt(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            x.sqrt().intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            x.sqrt().intoArray(r, at + i, rest);
        }
    }

    public static void relu(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            VectorMath.relu(x).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            VectorMath.relu(x).intoArray(r, at + i, rest);
        }
    }

    /** The first where the condition is true, the second elsewhere. */
    static void choose(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            VectorMask<Float> isTrue =
                    FloatVector.fromArray(SPECIES, c, atC + i).compare(VectorOperators.NE, 0f);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
            FloatVector.fromArray(SPECIES, b, atB + i).blend(x, isTrue).intoArray(r, at + i);
        }
        if (i < count) {
            VectorMask<Float> rest = SPECIES.indexInRange(i, count);
            VectorMask<Float> isTrue =
                    FloatVector.fromArray(SPECIES, c, atC + i, rest).compare(VectorOperators.NE, 0f);
            FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
            FloatVector.fromArray(SPECIES, b, atB + i, rest).blend(x, isTrue).intoArray(r, at + i, rest);
        }
    }

    /** 1 where it is true, 0 elsewhere, as a bool lies in a tile. */
    private static FloatVector flag(VectorMask<Float> mask) {
        return FloatVector.zero(SPECIES).blend(1f, mask);
    }
}

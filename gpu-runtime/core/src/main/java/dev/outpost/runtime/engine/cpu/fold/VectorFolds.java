package dev.outpost.runtime.engine.cpu.fold;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The folds of {@link RowReduction} for whole registers at a time; the same bits. Four registers of lanes in one pass
 * over the run, which is of 64 numbers or more. Where they hold all lanes, these are not stored until 16 are
 * left: a value that is read right after it was stored across two cache lines has to wait for both.
 *
 * <p>Two rows at once are two streams, of which memory brings half as much again as of one, and neither waits for
 * the other's last sixteen lanes.
 *
 * <p>This file is generated from the templates of {@code VectorLoopsTest}, which says how to write it again.
 */
final class VectorFolds {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int WIDTH = SPECIES.length();

    private VectorFolds() {}

    static float sum(float[] a, int at, int count, float[] lanes) {
        int end = at + count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            for (int from = at + first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, from).add(v0);
                v1 = FloatVector.fromArray(SPECIES, a, from + WIDTH).add(v1);
                v2 = FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH).add(v2);
                v3 = FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH).add(v3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == at + count) {
                VectorMath.exact(v0).add(v2).add(VectorMath.exact(v1).add(v3)).intoArray(lanes, 0);
                return ScalarFolds.sumOf16(lanes, 0);
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
        }
        return ScalarFolds.sumOf64(lanes, a, end, at + count - end);
    }

    static float max(float[] a, int at, int count, float[] lanes) {
        int end = at + count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            for (int from = at + first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, from).max(v0);
                v1 = FloatVector.fromArray(SPECIES, a, from + WIDTH).max(v1);
                v2 = FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH).max(v2);
                v3 = FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH).max(v3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == at + count) {
                VectorMath.exact(v0).max(v2).max(VectorMath.exact(v1).max(v3)).intoArray(lanes, 0);
                return ScalarFolds.maxOf16(lanes, 0);
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
        }
        return ScalarFolds.maxOf64(lanes, a, end, at + count - end);
    }

    static float min(float[] a, int at, int count, float[] lanes) {
        int end = at + count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            for (int from = at + first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, from).min(v0);
                v1 = FloatVector.fromArray(SPECIES, a, from + WIDTH).min(v1);
                v2 = FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH).min(v2);
                v3 = FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH).min(v3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == at + count) {
                VectorMath.exact(v0).min(v2).min(VectorMath.exact(v1).min(v3)).intoArray(lanes, 0);
                return ScalarFolds.minOf16(lanes, 0);
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
        }
        return ScalarFolds.minOf64(lanes, a, end, at + count - end);
    }

    /** The sums of two rows at once, to neighbours of {@code target}. */
    static void sums(float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to) {
        int end = count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            FloatVector w0 = FloatVector.fromArray(SPECIES, a, next + first);
            FloatVector w1 = FloatVector.fromArray(SPECIES, a, next + first + WIDTH);
            FloatVector w2 = FloatVector.fromArray(SPECIES, a, next + first + 2 * WIDTH);
            FloatVector w3 = FloatVector.fromArray(SPECIES, a, next + first + 3 * WIDTH);
            for (int from = first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, at + from).add(v0);
                w0 = FloatVector.fromArray(SPECIES, a, next + from).add(w0);
                v1 = FloatVector.fromArray(SPECIES, a, at + from + WIDTH).add(v1);
                w1 = FloatVector.fromArray(SPECIES, a, next + from + WIDTH).add(w1);
                v2 = FloatVector.fromArray(SPECIES, a, at + from + 2 * WIDTH).add(v2);
                w2 = FloatVector.fromArray(SPECIES, a, next + from + 2 * WIDTH).add(w2);
                v3 = FloatVector.fromArray(SPECIES, a, at + from + 3 * WIDTH).add(v3);
                w3 = FloatVector.fromArray(SPECIES, a, next + from + 3 * WIDTH).add(w3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == count) {
                VectorMath.exact(v0).add(v2).add(VectorMath.exact(v1).add(v3)).intoArray(lanes, 0);
                VectorMath.exact(w0).add(w2).add(VectorMath.exact(w1).add(w3)).intoArray(others, 0);
                target[to] = ScalarFolds.sumOf16(lanes, 0);
                target[to + 1] = ScalarFolds.sumOf16(others, 0);
                return;
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
            VectorMath.exact(w0).intoArray(others, first);
            VectorMath.exact(w1).intoArray(others, first + WIDTH);
            VectorMath.exact(w2).intoArray(others, first + 2 * WIDTH);
            VectorMath.exact(w3).intoArray(others, first + 3 * WIDTH);
        }
        target[to] = ScalarFolds.sumOf64(lanes, a, at + end, count - end);
        target[to + 1] = ScalarFolds.sumOf64(others, a, next + end, count - end);
    }

    /** The largest elements of two rows at once, to neighbours of {@code target}. */
    static void largest(float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to) {
        int end = count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            FloatVector w0 = FloatVector.fromArray(SPECIES, a, next + first);
            FloatVector w1 = FloatVector.fromArray(SPECIES, a, next + first + WIDTH);
            FloatVector w2 = FloatVector.fromArray(SPECIES, a, next + first + 2 * WIDTH);
            FloatVector w3 = FloatVector.fromArray(SPECIES, a, next + first + 3 * WIDTH);
            for (int from = first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, at + from).max(v0);
                w0 = FloatVector.fromArray(SPECIES, a, next + from).max(w0);
                v1 = FloatVector.fromArray(SPECIES, a, at + from + WIDTH).max(v1);
                w1 = FloatVector.fromArray(SPECIES, a, next + from + WIDTH).max(w1);
                v2 = FloatVector.fromArray(SPECIES, a, at + from + 2 * WIDTH).max(v2);
                w2 = FloatVector.fromArray(SPECIES, a, next + from + 2 * WIDTH).max(w2);
                v3 = FloatVector.fromArray(SPECIES, a, at + from + 3 * WIDTH).max(v3);
                w3 = FloatVector.fromArray(SPECIES, a, next + from + 3 * WIDTH).max(w3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == count) {
                VectorMath.exact(v0).max(v2).max(VectorMath.exact(v1).max(v3)).intoArray(lanes, 0);
                VectorMath.exact(w0).max(w2).max(VectorMath.exact(w1).max(w3)).intoArray(others, 0);
                target[to] = ScalarFolds.maxOf16(lanes, 0);
                target[to + 1] = ScalarFolds.maxOf16(others, 0);
                return;
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
            VectorMath.exact(w0).intoArray(others, first);
            VectorMath.exact(w1).intoArray(others, first + WIDTH);
            VectorMath.exact(w2).intoArray(others, first + 2 * WIDTH);
            VectorMath.exact(w3).intoArray(others, first + 3 * WIDTH);
        }
        target[to] = ScalarFolds.maxOf64(lanes, a, at + end, count - end);
        target[to + 1] = ScalarFolds.maxOf64(others, a, next + end, count - end);
    }

    /** The smallest elements of two rows at once, to neighbours of {@code target}. */
    static void smallest(
            float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to) {
        int end = count / RowReduction.LANES * RowReduction.LANES;
        for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, a, at + first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, a, at + first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, a, at + first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, a, at + first + 3 * WIDTH);
            FloatVector w0 = FloatVector.fromArray(SPECIES, a, next + first);
            FloatVector w1 = FloatVector.fromArray(SPECIES, a, next + first + WIDTH);
            FloatVector w2 = FloatVector.fromArray(SPECIES, a, next + first + 2 * WIDTH);
            FloatVector w3 = FloatVector.fromArray(SPECIES, a, next + first + 3 * WIDTH);
            for (int from = first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                v0 = FloatVector.fromArray(SPECIES, a, at + from).min(v0);
                w0 = FloatVector.fromArray(SPECIES, a, next + from).min(w0);
                v1 = FloatVector.fromArray(SPECIES, a, at + from + WIDTH).min(v1);
                w1 = FloatVector.fromArray(SPECIES, a, next + from + WIDTH).min(w1);
                v2 = FloatVector.fromArray(SPECIES, a, at + from + 2 * WIDTH).min(v2);
                w2 = FloatVector.fromArray(SPECIES, a, next + from + 2 * WIDTH).min(w2);
                v3 = FloatVector.fromArray(SPECIES, a, at + from + 3 * WIDTH).min(v3);
                w3 = FloatVector.fromArray(SPECIES, a, next + from + 3 * WIDTH).min(w3);
            }
            if (4 * WIDTH == RowReduction.LANES && end == count) {
                VectorMath.exact(v0).min(v2).min(VectorMath.exact(v1).min(v3)).intoArray(lanes, 0);
                VectorMath.exact(w0).min(w2).min(VectorMath.exact(w1).min(w3)).intoArray(others, 0);
                target[to] = ScalarFolds.minOf16(lanes, 0);
                target[to + 1] = ScalarFolds.minOf16(others, 0);
                return;
            }
            VectorMath.exact(v0).intoArray(lanes, first);
            VectorMath.exact(v1).intoArray(lanes, first + WIDTH);
            VectorMath.exact(v2).intoArray(lanes, first + 2 * WIDTH);
            VectorMath.exact(v3).intoArray(lanes, first + 3 * WIDTH);
            VectorMath.exact(w0).intoArray(others, first);
            VectorMath.exact(w1).intoArray(others, first + WIDTH);
            VectorMath.exact(w2).intoArray(others, first + 2 * WIDTH);
            VectorMath.exact(w3).intoArray(others, first + 3 * WIDTH);
        }
        target[to] = ScalarFolds.minOf64(lanes, a, at + end, count - end);
        target[to + 1] = ScalarFolds.minOf64(others, a, next + end, count - end);
    }
}

package dev.outpost.runtime.engine.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** {@link ScalarFolds} for whole registers at a time; the same bits. Four registers of lanes in one pass over the run. */
final class VectorFolds {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int WIDTH = SPECIES.length();

    private VectorFolds() {}

    static void sum(float[] a, int at, int count, float[] lanes) {
        for (int first = 0; first < RowFold.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, lanes, first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, lanes, first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, lanes, first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, lanes, first + 3 * WIDTH);
            int end = at + first + count;
            for (int from = at + first; from < end; from += RowFold.LANES) {
                v0 = v0.add(FloatVector.fromArray(SPECIES, a, from));
                v1 = v1.add(FloatVector.fromArray(SPECIES, a, from + WIDTH));
                v2 = v2.add(FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH));
                v3 = v3.add(FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH));
            }
            v0.intoArray(lanes, first);
            v1.intoArray(lanes, first + WIDTH);
            v2.intoArray(lanes, first + 2 * WIDTH);
            v3.intoArray(lanes, first + 3 * WIDTH);
        }
    }

    static void max(float[] a, int at, int count, float[] lanes) {
        for (int first = 0; first < RowFold.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, lanes, first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, lanes, first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, lanes, first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, lanes, first + 3 * WIDTH);
            int end = at + first + count;
            for (int from = at + first; from < end; from += RowFold.LANES) {
                v0 = v0.max(FloatVector.fromArray(SPECIES, a, from));
                v1 = v1.max(FloatVector.fromArray(SPECIES, a, from + WIDTH));
                v2 = v2.max(FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH));
                v3 = v3.max(FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH));
            }
            v0.intoArray(lanes, first);
            v1.intoArray(lanes, first + WIDTH);
            v2.intoArray(lanes, first + 2 * WIDTH);
            v3.intoArray(lanes, first + 3 * WIDTH);
        }
    }

    static void min(float[] a, int at, int count, float[] lanes) {
        for (int first = 0; first < RowFold.LANES; first += 4 * WIDTH) {
            FloatVector v0 = FloatVector.fromArray(SPECIES, lanes, first);
            FloatVector v1 = FloatVector.fromArray(SPECIES, lanes, first + WIDTH);
            FloatVector v2 = FloatVector.fromArray(SPECIES, lanes, first + 2 * WIDTH);
            FloatVector v3 = FloatVector.fromArray(SPECIES, lanes, first + 3 * WIDTH);
            int end = at + first + count;
            for (int from = at + first; from < end; from += RowFold.LANES) {
                v0 = v0.min(FloatVector.fromArray(SPECIES, a, from));
                v1 = v1.min(FloatVector.fromArray(SPECIES, a, from + WIDTH));
                v2 = v2.min(FloatVector.fromArray(SPECIES, a, from + 2 * WIDTH));
                v3 = v3.min(FloatVector.fromArray(SPECIES, a, from + 3 * WIDTH));
            }
            v0.intoArray(lanes, first);
            v1.intoArray(lanes, first + WIDTH);
            v2.intoArray(lanes, first + 2 * WIDTH);
            v3.intoArray(lanes, first + 3 * WIDTH);
        }
    }
}

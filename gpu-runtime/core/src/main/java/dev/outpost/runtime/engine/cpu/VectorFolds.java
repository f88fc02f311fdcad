package dev.outpost.runtime.engine.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** {@link ScalarFolds} for whole registers at a time; the same bits. The lanes lie in memory, and so stay 64 of them. */
final class VectorFolds {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;

    private VectorFolds() {}

    static void sum(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane += SPECIES.length()) {
                FloatVector more = FloatVector.fromArray(SPECIES, a, at + i + lane);
                FloatVector.fromArray(SPECIES, lanes, lane).add(more).intoArray(lanes, lane);
            }
        }
    }

    static void max(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane += SPECIES.length()) {
                FloatVector more = FloatVector.fromArray(SPECIES, a, at + i + lane);
                FloatVector.fromArray(SPECIES, lanes, lane).max(more).intoArray(lanes, lane);
            }
        }
    }

    static void min(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane += SPECIES.length()) {
                FloatVector more = FloatVector.fromArray(SPECIES, a, at + i + lane);
                FloatVector.fromArray(SPECIES, lanes, lane).min(more).intoArray(lanes, lane);
            }
        }
    }
}

package dev.outpost.runtime.engine.cpu;

/** The joining of runs of floats to 64 lanes, for {@link RowFold}, an element at a time. */
final class ScalarFolds {
    private ScalarFolds() {}

    static void sum(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane++) {
                lanes[lane] = lanes[lane] + a[at + i + lane];
            }
        }
    }

    static void max(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane++) {
                lanes[lane] = Math.max(lanes[lane], a[at + i + lane]);
            }
        }
    }

    static void min(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowFold.LANES) {
            for (int lane = 0; lane < RowFold.LANES; lane++) {
                lanes[lane] = Math.min(lanes[lane], a[at + i + lane]);
            }
        }
    }

    static void add(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = lanes[lane] + a[at + lane];
        }
    }

    static void larger(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = Math.max(lanes[lane], a[at + lane]);
        }
    }

    static void smaller(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = Math.min(lanes[lane], a[at + lane]);
        }
    }
}

package dev.outpost.runtime.engine.cpu;

/** What {@link RowFold} is made of, an element at a time: runs of floats are joined to 64 lanes, and lanes to each other. */
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

    /** Halves of the first 16 lanes, again and again. */
    static float sumOf16(float[] l) {
        float s0 = (l[0] + l[8]) + (l[4] + l[12]);
        float s1 = (l[1] + l[9]) + (l[5] + l[13]);
        float s2 = (l[2] + l[10]) + (l[6] + l[14]);
        float s3 = (l[3] + l[11]) + (l[7] + l[15]);
        return (s0 + s2) + (s1 + s3);
    }

    /** Halves of the first 16 lanes, again and again. */
    static float maxOf16(float[] l) {
        float s0 = Math.max(Math.max(l[0], l[8]), Math.max(l[4], l[12]));
        float s1 = Math.max(Math.max(l[1], l[9]), Math.max(l[5], l[13]));
        float s2 = Math.max(Math.max(l[2], l[10]), Math.max(l[6], l[14]));
        float s3 = Math.max(Math.max(l[3], l[11]), Math.max(l[7], l[15]));
        return Math.max(Math.max(s0, s2), Math.max(s1, s3));
    }

    /** Halves of the first 16 lanes, again and again. */
    static float minOf16(float[] l) {
        float s0 = Math.min(Math.min(l[0], l[8]), Math.min(l[4], l[12]));
        float s1 = Math.min(Math.min(l[1], l[9]), Math.min(l[5], l[13]));
        float s2 = Math.min(Math.min(l[2], l[10]), Math.min(l[6], l[14]));
        float s3 = Math.min(Math.min(l[3], l[11]), Math.min(l[7], l[15]));
        return Math.min(Math.min(s0, s2), Math.min(s1, s3));
    }
}

package dev.outpost.runtime.engine.cpu.fold;

/** The parts of {@link RowReduction} without vectors: runs of floats are joined to 64 lanes, and lanes to each other. */
public final class ScalarFolds {
    private ScalarFolds() {}

    public static void sum(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowReduction.LANES) {
            for (int lane = 0; lane < RowReduction.LANES; lane++) {
                lanes[lane] = lanes[lane] + a[at + i + lane];
            }
        }
    }

    public static void max(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowReduction.LANES) {
            for (int lane = 0; lane < RowReduction.LANES; lane++) {
                lanes[lane] = Math.max(lanes[lane], a[at + i + lane]);
            }
        }
    }

    public static void min(float[] a, int at, int count, float[] lanes) {
        for (int i = 0; i < count; i += RowReduction.LANES) {
            for (int lane = 0; lane < RowReduction.LANES; lane++) {
                lanes[lane] = Math.min(lanes[lane], a[at + i + lane]);
            }
        }
    }

    public static void add(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = lanes[lane] + a[at + lane];
        }
    }

    public static void larger(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = Math.max(lanes[lane], a[at + lane]);
        }
    }

    public static void smaller(float[] a, int at, int count, float[] lanes) {
        for (int lane = 0; lane < count; lane++) {
            lanes[lane] = Math.min(lanes[lane], a[at + lane]);
        }
    }

    /** Folds each of some rows, one element after the other. */
    public static void sumEach(float[] a, int at, int columns, int rows, float[] target, int to) {
        for (int row = 0; row < rows; row++) {
            int first = at + row * columns;
            float joined = a[first];
            for (int i = 1; i < columns; i++) {
                joined = joined + a[first + i];
            }
            target[to + row] = joined;
        }
    }

    /** Folds each of some rows, one element after the other. */
    public static void maxEach(float[] a, int at, int columns, int rows, float[] target, int to) {
        for (int row = 0; row < rows; row++) {
            int first = at + row * columns;
            float joined = a[first];
            for (int i = 1; i < columns; i++) {
                joined = Math.max(joined, a[first + i]);
            }
            target[to + row] = joined;
        }
    }

    /** Folds each of some rows, one element after the other. */
    public static void minEach(float[] a, int at, int columns, int rows, float[] target, int to) {
        for (int row = 0; row < rows; row++) {
            int first = at + row * columns;
            float joined = a[first];
            for (int i = 1; i < columns; i++) {
                joined = Math.min(joined, a[first + i]);
            }
            target[to + row] = joined;
        }
    }

    /** Folds 16 lanes by halves. */
    public static float sumOf16(float[] l, int at) {
        float s0 = (l[at] + l[at + 8]) + (l[at + 4] + l[at + 12]);
        float s1 = (l[at + 1] + l[at + 9]) + (l[at + 5] + l[at + 13]);
        float s2 = (l[at + 2] + l[at + 10]) + (l[at + 6] + l[at + 14]);
        float s3 = (l[at + 3] + l[at + 11]) + (l[at + 7] + l[at + 15]);
        return (s0 + s2) + (s1 + s3);
    }

    /** Folds 16 lanes by halves. */
    public static float maxOf16(float[] l, int at) {
        float s0 = Math.max(Math.max(l[at], l[at + 8]), Math.max(l[at + 4], l[at + 12]));
        float s1 = Math.max(Math.max(l[at + 1], l[at + 9]), Math.max(l[at + 5], l[at + 13]));
        float s2 = Math.max(Math.max(l[at + 2], l[at + 10]), Math.max(l[at + 6], l[at + 14]));
        float s3 = Math.max(Math.max(l[at + 3], l[at + 11]), Math.max(l[at + 7], l[at + 15]));
        return Math.max(Math.max(s0, s2), Math.max(s1, s3));
    }

    /** Folds 16 lanes by halves. */
    public static float minOf16(float[] l, int at) {
        float s0 = Math.min(Math.min(l[at], l[at + 8]), Math.min(l[at + 4], l[at + 12]));
        float s1 = Math.min(Math.min(l[at + 1], l[at + 9]), Math.min(l[at + 5], l[at + 13]));
        float s2 = Math.min(Math.min(l[at + 2], l[at + 10]), Math.min(l[at + 6], l[at + 14]));
        float s3 = Math.min(Math.min(l[at + 3], l[at + 11]), Math.min(l[at + 7], l[at + 15]));
        return Math.min(Math.min(s0, s2), Math.min(s1, s3));
    }

    /** Joins the rest of a run to 64 lanes, and folds these by halves. */
    public static float sumOf64(float[] l, float[] a, int at, int count) {
        add(a, at, count, l);
        add(l, 32, 32, l);
        add(l, 16, 16, l);
        return sumOf16(l, 0);
    }

    /** Joins the rest of a run to 64 lanes, and folds these by halves. */
    public static float maxOf64(float[] l, float[] a, int at, int count) {
        larger(a, at, count, l);
        larger(l, 32, 32, l);
        larger(l, 16, 16, l);
        return maxOf16(l, 0);
    }

    /** Joins the rest of a run to 64 lanes, and folds these by halves. */
    public static float minOf64(float[] l, float[] a, int at, int count) {
        smaller(a, at, count, l);
        smaller(l, 32, 32, l);
        smaller(l, 16, 16, l);
        return minOf16(l, 0);
    }
}

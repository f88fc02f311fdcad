package dev.outpost.runtime.engine.cpu.fold;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;

/**
 * Folds a run of floats into one. Up to 16 floats are folded in their order. In longer runs, number i is folded into
 * lane {@code i % lanes}, and then the upper half of the lanes is repeatedly folded into the lower half. There are 64
 * lanes, or the largest power of two that is not above the length, for any size of registers. So the tree depends
 * only on the length.
 */
public final class RowReduction {
    public static final int LANES = 64;
    /** The length up to which floats are folded one after the other. */
    public static final int SHORT = 16;

    /** Joins whole groups of lanes. */
    @FunctionalInterface
    interface Gather {
        /** Folds a multiple of 64 floats into the 64 lanes: float {@code i} into lane {@code i % 64}. */
        void join(float[] a, int at, int count, float[] lanes);
    }

    /** Joins consecutive numbers. */
    @FunctionalInterface
    interface Join {
        /** Joins numbers from {@code at} on to those from 0 on. */
        void join(float[] a, int at, int count, float[] lanes);
    }

    /** Folds 64 floats or more. */
    @FunctionalInterface
    interface Whole {
        public float fold(float[] a, int at, int count, float[] lanes);
    }

    /** Folds each of several rows element by element, into consecutive elements of {@code target}. */
    @FunctionalInterface
    interface Each {
        public void fold(float[] a, int at, int columns, int rows, float[] target, int to);
    }

    /** Folds two rows of 64 floats or more at once, to consecutive elements of {@code target}. */
    @FunctionalInterface
    interface Pair {
        public void fold(float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to);
    }

    private static final RowReduction SUM = new RowReduction(
            VectorStep.ADD,
            "sumOf16",
            -0f,
            ScalarFolds::add,
            ScalarFolds::sum,
            ScalarFolds::sumEach,
            Vectors.PRESENT ? VectorFolds::sum : null,
            Vectors.PRESENT ? VectorFolds::sums : null);
    private static final RowReduction MAX = new RowReduction(
            VectorStep.MAXIMUM,
            "maxOf16",
            Float.NEGATIVE_INFINITY,
            ScalarFolds::larger,
            ScalarFolds::max,
            ScalarFolds::maxEach,
            Vectors.PRESENT ? VectorFolds::max : null,
            Vectors.PRESENT ? VectorFolds::largest : null);
    private static final RowReduction MIN = new RowReduction(
            VectorStep.MINIMUM,
            "minOf16",
            Float.POSITIVE_INFINITY,
            ScalarFolds::smaller,
            ScalarFolds::min,
            ScalarFolds::minEach,
            Vectors.PRESENT ? VectorFolds::min : null,
            Vectors.PRESENT ? VectorFolds::smallest : null);

    private final VectorStep step;
    private final String ofLanes;
    private final float nothing;
    private final Join join;
    private final Gather gather;
    private final Each each;
    private final Whole vectors;
    private final Pair pairs;
    private final WarmupSwitch warmup = new WarmupSwitch();
    private final WarmupSwitch pairWarmup = new WarmupSwitch();

    private RowReduction(
            VectorStep step,
            String ofLanes,
            float nothing,
            Join join,
            Gather gather,
            Each each,
            Whole vectors,
            Pair pairs) {
        this.step = step;
        this.ofLanes = ofLanes;
        this.nothing = nothing;
        this.join = join;
        this.gather = gather;
        this.each = each;
        this.vectors = vectors;
        this.pairs = pairs;
    }

    /** Returns the reduction for a function; null if it has none. */
    public static RowReduction of(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> SUM;
            case MAX -> MAX;
            case MIN -> MIN;
            case PROD -> null;
        };
    }

    /** Returns the step that joins two numbers. */
    public VectorStep step() {
        return step;
    }

    /** Returns the method of {@link ScalarFolds} that joins 16 lanes. */
    public String ofLanes() {
        return ofLanes;
    }

    /** Returns the exact neutral element. */
    public float nothing() {
        return nothing;
    }

    /** @param lanes working space of 64 numbers */
    public float fold(float[] a, int at, int count, float[] lanes) {
        if (vectors == null || count < LANES) {
            return plain(a, at, count, lanes);
        }
        return warmup.isDone() ? vectors.fold(a, at, count, lanes) : rising(a, at, count, lanes);
    }

    /** Allocates the working space for {@link #foldRows}. */
    public static float[][] room() {
        return new float[2][LANES];
    }

    /** Folds consecutive rows, each to an element of {@code target}. */
    public void foldRows(float[] a, int at, int columns, int rows, float[] target, int to, float[][] room) {
        if (columns <= SHORT) {
            each.fold(a, at, columns, rows, target, to);
            return;
        }
        int done = 0;
        if (pairs != null && columns >= LANES) {
            for (; done < rows - 1; done += 2) {
                pair(a, at + done * columns, columns, target, to + done, room[0], room[1]);
            }
        }
        for (; done < rows; done++) {
            target[to + done] = fold(a, at + done * columns, columns, room[0]);
        }
    }

    private void pair(float[] a, int at, int columns, float[] target, int to, float[] lanes, float[] others) {
        if (pairWarmup.isDone()) {
            pairs.fold(a, at, at + columns, columns, lanes, others, target, to);
            return;
        }
        pairWarmup.both(
                2 * columns,
                2 * columns,
                (_, _) -> pairs.fold(a, at, at + columns, columns, lanes, others, target, to),
                (_, _) -> {
                    target[to] = plain(a, at, columns, lanes);
                    target[to + 1] = plain(a, at + columns, columns, lanes);
                });
    }

    private float rising(float[] a, int at, int count, float[] lanes) {
        float[] result = new float[1];
        warmup.both(
                count,
                count,
                (_, _) -> result[0] = vectors.fold(a, at, count, lanes),
                (_, _) -> result[0] = plain(a, at, count, lanes));
        return result[0];
    }

    /** Computes {@link #fold} without vectors. */
    float plain(float[] a, int at, int count, float[] lanes) {
        int width = count <= SHORT ? 1 : Math.min(LANES, Integer.highestOneBit(count));
        System.arraycopy(a, at, lanes, 0, width);
        int whole = count / LANES * LANES;
        if (whole > LANES) {
            gather.join(a, at + LANES, whole - LANES, lanes);
        }
        for (int done = Math.max(whole, width); done < count; done += width) {
            join.join(a, at + done, Math.min(width, count - done), lanes);
        }
        for (int half = width / 2; half > 0; half /= 2) {
            join.join(lanes, half, half, lanes);
        }
        return lanes[0];
    }
}

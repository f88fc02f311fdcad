package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;

/**
 * Folds a run of floats into one. Up to 16 of them are taken one after the other; of more, number i goes to lane
 * {@code i % lanes}, and then the upper half of the lanes is added to the lower one, again and again. Lanes are 64, or
 * the power of two that is not above the length, whatever the registers hold: the tree depends on the length alone.
 */
final class RowFold {
    static final int LANES = 64;
    /** Up to here one after the other. */
    static final int SHORT = 16;

    /** The joining of whole groups of lanes. */
    @FunctionalInterface
    interface Gather {
        /** Joins a multiple of 64 floats to 64 lanes. */
        void join(float[] a, int at, int count, float[] lanes);
    }

    /** The joining of numbers beside each other. */
    @FunctionalInterface
    interface Join {
        /** Joins numbers from {@code at} on to those from 0 on. */
        void join(float[] a, int at, int count, float[] lanes);
    }

    private static final RowFold SUM =
            new RowFold(Binary.ADD, ScalarFolds::add, ScalarFolds::sum, Vectors.PRESENT ? VectorFolds::sum : null);
    private static final RowFold MAX = new RowFold(
            Binary.MAXIMUM, ScalarFolds::larger, ScalarFolds::max, Vectors.PRESENT ? VectorFolds::max : null);
    private static final RowFold MIN = new RowFold(
            Binary.MINIMUM, ScalarFolds::smaller, ScalarFolds::min, Vectors.PRESENT ? VectorFolds::min : null);

    private final TileOp together;
    private final Join join;
    private final Gather plain;
    private final Gather vectors;
    private final Rise rise = new Rise();

    private RowFold(Binary op, Join join, Gather plain, Gather vectors) {
        this.together = TileOps.of(op).orElseThrow();
        this.join = join;
        this.plain = plain;
        this.vectors = vectors;
    }

    /** Null where there is no code for it. */
    static RowFold of(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> SUM;
            case MAX -> MAX;
            case MIN -> MIN;
            case PROD -> null;
        };
    }

    /** @param lanes 64 numbers to work with */
    float fold(float[] a, int at, int count, float[] lanes) {
        int width = count <= SHORT ? 1 : Math.min(LANES, Integer.highestOneBit(count));
        System.arraycopy(a, at, lanes, 0, width);
        int whole = count / LANES * LANES;
        if (whole > LANES) {
            gather(a, at + LANES, whole - LANES, lanes);
        }
        for (int done = Math.max(whole, width); done < count; done += width) {
            join.join(a, at + done, Math.min(width, count - done), lanes);
        }
        for (int half = width / 2; half > 0; half /= 2) {
            if (half > SHORT / 2) {
                together.run(lanes, 0, lanes, half, lanes, 0, half);
            } else {
                join.join(lanes, half, half, lanes);
            }
        }
        return lanes[0];
    }

    private void gather(float[] a, int at, int count, float[] lanes) {
        if (vectors == null) {
            plain.join(a, at, count, lanes);
        } else if (rise.isDone()) {
            vectors.join(a, at, count, lanes);
        } else {
            both(a, at, count, lanes);
        }
    }

    private void both(float[] a, int at, int count, float[] lanes) {
        int share = Math.ceilDiv(rise.share(count), LANES) * LANES;
        long begin = System.nanoTime();
        vectors.join(a, at, share, lanes);
        long middle = System.nanoTime();
        plain.join(a, at + share, count - share, lanes);
        rise.vectors(share, middle - begin);
        rise.plain(count - share, System.nanoTime() - middle);
    }
}

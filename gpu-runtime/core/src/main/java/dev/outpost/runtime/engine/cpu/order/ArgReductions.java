package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;

/** Finds the index of the largest or smallest element of a row, by its {@link OrderKeys}. */
public record ArgReductions(Elementwise elementwise) {
    private static final int GRAIN = 8 << 10;

    public void run(ArgReduce op, Array operand, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = OrderKeys.dtype(operand.dtype());
            RowView rowView = RowView.of(operand, op.axis(), dtype, elementwise, scratch);
            long[] target = Elementwise.buffer(result).longs();
            int base = (int) result.layout().offset();
            int grain = Math.max(1, GRAIN / rowView.length());
            elementwise.workers().run(rowView.count(), grain, (from, to) -> {
                long[] keys = new long[rowView.length()];
                for (int row = from; row < to; row++) {
                    OrderKeys.fill(Elementwise.javaArray(rowView.array()), rowView.at(row), keys);
                    target[base + row] = best(op.fn(), keys, OrderKeys.nan(dtype));
                }
            });
        }
    }

    /**
     * Finds the index in a row of floats.
     *
     * @param keys working space, one key for each element of the row
     */
    public static int best(ArgReduce.Fn fn, float[] elements, int from, long[] keys) {
        OrderKeys.fill(elements, from, keys);
        return best(fn, keys, OrderKeys.nan(DType.FLOAT32));
    }

    private static int best(ArgReduce.Fn fn, long[] keys, long nan) {
        return switch (fn) {
            case ARGMAX -> largest(keys);
            case ARGMIN -> smallest(keys, nan);
        };
    }

    private static int largest(long[] keys) {
        int best = 0;
        for (int i = 1; i < keys.length; i++) {
            if (keys[i] > keys[best]) {
                best = i;
            }
        }
        return best;
    }

    /** Returns the index of the smallest element. NaN has the largest key, but counts as the smallest element. */
    private static int smallest(long[] keys, long nan) {
        int best = 0;
        for (int i = 0; i < keys.length && keys[best] != nan; i++) {
            if (keys[i] < keys[best] || keys[i] == nan) {
                best = i;
            }
        }
        return best;
    }
}

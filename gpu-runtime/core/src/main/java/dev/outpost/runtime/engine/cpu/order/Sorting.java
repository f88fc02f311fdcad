package dev.outpost.runtime.engine.cpu.order;

import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.engine.cpu.index.ElementMoves;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;

/** Sorts rows by their {@link OrderKeys}: computes the order first, and then moves the elements. */
public record Sorting(Elementwise elementwise) {
    private static final int GRAIN = 2048;

    public void run(Sort op, Array operand, Array values, Array indices) {
        if (operand.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            RowView elements = RowView.of(operand, op.axis(), operand.dtype(), elementwise, scratch);
            Array keys = elementwise.contiguous(elements.array(), OrderKeys.dtype(operand.dtype()), scratch);
            Array sortedValues = target(values, op.axis(), scratch);
            Array sortedIndices = target(indices, op.axis(), scratch);
            int grain = Math.max(1, GRAIN / elements.length());
            elementwise.workers().run(elements.count(), grain, (from, to) -> {
                for (int row = from; row < to; row++) {
                    sortRow(op, elements, row, keys, sortedValues, sortedIndices);
                }
            });
            finish(sortedValues, values, op.axis());
            finish(sortedIndices, indices, op.axis());
        }
    }

    /** Returns the result itself if the dimension is already last and contiguous. */
    private static Array target(Array result, int axis, Scratch scratch) {
        Array arranged = RowView.axisLast(result, axis);
        return arranged.layout().isContiguous() ? arranged : scratch.array(result.dtype(), arranged.shape());
    }

    private void finish(Array sorted, Array result, int axis) {
        if (sorted.buffer() != result.buffer()) {
            elementwise.copy(sorted, RowView.axisLast(result, axis));
        }
    }

    private static void sortRow(Sort op, RowView elements, int row, Array keyed, Array values, Array indices) {
        long[] keys = new long[elements.length()];
        int start = row * elements.length();
        OrderKeys.fill(Elementwise.javaArray(keyed), (int) keyed.layout().offset() + start, keys);
        int[] order = keyed.dtype().bytes() == 8 ? orderOfLongs(keys, op.descending()) : order(keys, op.descending());
        long[] positions = Elementwise.buffer(indices).longs();
        int base = (int) indices.layout().offset() + start;
        for (int i = 0; i < order.length; i++) {
            positions[base + i] = order[i];
            order[i] += elements.at(row);
        }
        int at = (int) values.layout().offset() + start;
        ElementMoves.gather(
                Elementwise.javaArray(elements.array()), order, Elementwise.javaArray(values), at, order.length);
    }

    /**
     * Returns the sorted order. Each 32-bit key is combined with its index in the lower bits, so all keys differ and any sort is stable.
     */
    private static int[] order(long[] keys, boolean descending) {
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (descending ? ~keys[i] : keys[i]) << 32 | i;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (int) keys[i];
        }
        return order;
    }

    /** Returns the sorted order, from a bottom-up merge sort. */
    private static int[] orderOfLongs(long[] keys, boolean descending) {
        int[] order = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            order[i] = i;
            keys[i] = descending ? ~keys[i] : keys[i];
        }
        int[] merged = new int[keys.length];
        for (long width = 1; width < keys.length; width *= 2) {
            for (long from = 0; from < keys.length; from += 2 * width) {
                int middle = (int) Math.min(from + width, keys.length);
                int to = (int) Math.min(from + 2 * width, keys.length);
                merge(keys, order, merged, (int) from, middle, to);
            }
            int[] swap = order;
            order = merged;
            merged = swap;
        }
        return order;
    }

    private static void merge(long[] keys, int[] order, int[] merged, int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int next = from; next < to; next++) {
            boolean takeLeft = right == to || left < middle && keys[order[left]] <= keys[order[right]];
            merged[next] = takeLeft ? order[left++] : order[right++];
        }
    }
}

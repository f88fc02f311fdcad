package dev.outpost.runtime.plan;

import java.util.Arrays;

/**
 * Places storages of an arena into the smallest gaps between overlapping ones. Each storage is compared with all placed storages, so the
 * data are in plain arrays.
 */
final class BestFitPlacement {
    private static final int NOWHERE = -1;

    private final long alignment;
    /**
     * The placed storages in the order of their start: first and last task, start, and end rounded up to the alignment.
     */
    private int[] from = new int[64];

    private int[] to = new int[64];
    private long[] starts = new long[64];
    private long[] ends = new long[64];
    private int count;

    /** @param alignment every place is a multiple of this number of bytes */
    BestFitPlacement(long alignment) {
        this.alignment = alignment;
    }

    /** Places a storage, and returns its start. */
    long place(int born, int died, long bytes) {
        long start = gap(born, died, bytes);
        insert(born, died, start, start + (bytes + alignment - 1) / alignment * alignment);
        return start;
    }

    private long gap(int born, int died, long bytes) {
        long best = NOWHERE;
        long smallest = Long.MAX_VALUE;
        long end = 0;
        for (int index = 0; index < count; index++) {
            if (from[index] <= died && born <= to[index]) {
                long gap = starts[index] - end;
                if (gap >= bytes && gap < smallest) {
                    smallest = gap;
                    best = end;
                }
                end = Math.max(end, ends[index]);
            }
        }
        return best == NOWHERE ? end : best;
    }

    private void insert(int born, int died, long start, long end) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        int found = Arrays.binarySearch(starts, 0, count, start);
        int index = found < 0 ? -found - 1 : found;
        System.arraycopy(from, index, from, index + 1, count - index);
        System.arraycopy(to, index, to, index + 1, count - index);
        System.arraycopy(starts, index, starts, index + 1, count - index);
        System.arraycopy(ends, index, ends, index + 1, count - index);
        from[index] = born;
        to[index] = died;
        starts[index] = start;
        ends[index] = end;
        count++;
    }
}

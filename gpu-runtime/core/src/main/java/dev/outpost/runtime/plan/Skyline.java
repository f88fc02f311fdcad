package dev.outpost.runtime.plan;

/**
 * The height of occupied memory at each task. Each call takes time proportional to the height of a binary tree over the
 * tasks.
 */
final class Skyline {
    private final int tasks;
    /**
     * For each node of the tree, whose root is node 1, the highest end of the ranges that cover all tasks of the
     * node.
     */
    private final long[] covering;
    /** For each node, the highest end at any of its tasks, including ranges that cover only some of them. */
    private final long[] highest;

    Skyline(int tasks) {
        this.tasks = Math.max(1, tasks);
        int leaves = 2 * Integer.highestOneBit(this.tasks);
        this.covering = new long[2 * leaves];
        this.highest = new long[2 * leaves];
    }

    /** Returns the highest end at any task from {@code from} to {@code to}, both inclusive. */
    long highest(int from, int to) {
        return highest(1, 0, tasks - 1, from, to);
    }

    private long highest(int node, int first, int last, int from, int to) {
        if (to < first || last < from) {
            return 0;
        }
        if (from <= first && last <= to) {
            return highest[node];
        }
        int middle = (first + last) >>> 1;
        long below =
                Math.max(highest(2 * node, first, middle, from, to), highest(2 * node + 1, middle + 1, last, from, to));
        return Math.max(covering[node], below);
    }

    /** Occupies memory up to an end, from one task to another, both inclusive. */
    void raise(int from, int to, long end) {
        raise(1, 0, tasks - 1, from, to, end);
    }

    private void raise(int node, int first, int last, int from, int to, long end) {
        if (to < first || last < from) {
            return;
        }
        highest[node] = Math.max(highest[node], end);
        if (from <= first && last <= to) {
            covering[node] = Math.max(covering[node], end);
            return;
        }
        int middle = (first + last) >>> 1;
        raise(2 * node, first, middle, from, to, end);
        raise(2 * node + 1, middle + 1, last, from, to, end);
    }
}

package dev.outpost.runtime.plan;

import java.util.BitSet;

/**
 * Consecutive tasks of a plan that an engine may launch as one. Equality is identity: engines use the group as a key
 * for data that they keep between runs.
 */
public final class LaunchGroup {
    private final int first;
    private final int end;
    private final int numbers;
    private final boolean mayRefuse;
    private final BitSet known;
    private final int[] exchanges;

    /**
     * Creates a group.
     *
     * @param known the indices of tasks whose index operands an earlier task has checked
     * @param exchanges the indices of tasks that are exchanges with other machines
     */
    LaunchGroup(int first, int end, int numbers, boolean mayRefuse, BitSet known, int[] exchanges) {
        this.first = first;
        this.end = end;
        this.numbers = numbers;
        this.mayRefuse = mayRefuse;
        this.known = known;
        this.exchanges = exchanges;
    }

    /** Returns the index of its first task. */
    public int first() {
        return first;
    }

    /** Returns the index after its last task. */
    public int end() {
        return end;
    }

    /**
     * Returns true if one of its kernels may refuse a value. Then no kernel overwrites a value older than the group, so
     * its tasks can run again.
     */
    public boolean mayRefuse() {
        return mayRefuse;
    }

    /**
     * Returns true if a kernel skips the check of an index because an earlier task of the plan has checked it. If a
     * task of the run has failed, the check may be missing.
     */
    public boolean reliesOnEarlierTasks() {
        return !known.isEmpty();
    }

    /** Returns true if a task need not check its indices. */
    public boolean hasKnownIndices(int task) {
        return known.get(task);
    }

    /** Returns the indices of its exchanges with other machines, in order. */
    public int[] exchangesAt() {
        return exchanges.clone();
    }

    /** Returns true if it has exchanges with other machines. */
    public boolean exchanges() {
        return exchanges.length > 0;
    }

    /** Returns the number of kernel operands that are immediate numbers. */
    public int numbers() {
        return numbers;
    }
}

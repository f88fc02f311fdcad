package dev.outpost.runtime.plan;

import java.util.BitSet;

/**
 * Tasks of a plan that an engine may launch as one. Equal to itself alone: an engine knows by it what it kept of an earlier run.
 */
public final class LaunchGroup {
    private final int first;
    private final int end;
    private final int numbers;
    private final boolean mayRefuse;
    private final BitSet known;
    private final int[] exchanges;

    /**
     * A unit.
     *
     * @param known the places of tasks whose indices were found in their bounds before
     * @param exchanges the places of its exchanges with other machines
     */
    LaunchGroup(int first, int end, int numbers, boolean mayRefuse, BitSet known, int[] exchanges) {
        this.first = first;
        this.end = end;
        this.numbers = numbers;
        this.mayRefuse = mayRefuse;
        this.known = known;
        this.exchanges = exchanges;
    }

    /** The place of its first task. */
    public int first() {
        return first;
    }

    /** The place behind its last task. */
    public int end() {
        return end;
    }

    /** Whether one of its kernels may refuse a value; then what is older than the unit is there still when all of it has run. */
    public boolean mayRefuse() {
        return mayRefuse;
    }

    /**
     * Whether a kernel of it refuses nothing because an earlier task of the plan has found the same index in its bounds. Where a task
     * of the run has failed, it may be that one.
     */
    public boolean reliesOnEarlierTasks() {
        return !known.isEmpty();
    }

    /** Whether a task need not look at its indices. */
    public boolean hasKnownIndices(int task) {
        return known.get(task);
    }

    /** The places of its exchanges with other machines, in order; none in a unit that runs whatever other machines do. */
    public int[] exchangesAt() {
        return exchanges.clone();
    }

    /** Whether it has exchanges with other machines. */
    public boolean exchanges() {
        return exchanges.length > 0;
    }

    /** How many operands of its kernels are numbers that stand in instructions. */
    public int numbers() {
        return numbers;
    }
}

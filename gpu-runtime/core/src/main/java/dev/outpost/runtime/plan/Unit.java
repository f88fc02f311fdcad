package dev.outpost.runtime.plan;

/**
 * Tasks of a plan that an engine may launch as one. Equal to itself alone: an engine knows by it what it kept of an earlier run.
 */
public final class Unit {
    private final int first;
    private final int end;
    private final int numbers;

    Unit(int first, int end, int numbers) {
        this.first = first;
        this.end = end;
        this.numbers = numbers;
    }

    /** The place of its first task. */
    public int first() {
        return first;
    }

    /** The place behind its last task. */
    public int end() {
        return end;
    }

    /** How many operands of its kernels are numbers that stand in instructions. */
    public int numbers() {
        return numbers;
    }
}

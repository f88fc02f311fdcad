package dev.outpost.runtime.plan;

import java.util.List;

/**
 * All that a structure's runs have in common: what is launched, in which order, and after which launch each value dies.
 * Immutable; many sessions may use one at once.
 */
public final class Plan {
    private final List<Task> tasks;
    private final int[] dyingAtStart;
    private final int[][] dyingAfter;
    private final boolean complete;

    Plan(List<Task> tasks, Liveness liveness, boolean complete) {
        this.tasks = List.copyOf(tasks);
        this.dyingAtStart = liveness.dyingAtStart();
        this.dyingAfter = liveness.dyingAfter(tasks.size());
        this.complete = complete;
    }

    /** In the order in which they run. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Values that nothing uses, not even once. Callers do not change the array. */
    public int[] dyingAtStart() {
        return dyingAtStart;
    }

    /** Values that nobody needs after a task, by its place. Callers do not change the array. */
    public int[] dyingAfter(int task) {
        return dyingAfter[task];
    }

    /** Whether everything compiled. */
    boolean isComplete() {
        return complete;
    }
}

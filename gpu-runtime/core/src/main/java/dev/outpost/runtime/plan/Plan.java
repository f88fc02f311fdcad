package dev.outpost.runtime.plan;

import dev.outpost.protocol.tape.Graph;
import dev.outpost.runtime.plan.rewrite.Assumption;
import dev.outpost.runtime.plan.rewrite.Draft;
import java.util.List;

/**
 * All that a structure's runs have in common: what is launched, in which order, and after which launch each value dies.
 * Immutable; many sessions may use one at once.
 */
public final class Plan {
    private final List<Task> tasks;
    private final int[] standIns;
    private final List<Assumption> assumptions;
    private final int[] dyingAtStart;
    private final int[][] dyingAfter;
    private final boolean complete;

    Plan(List<Task> tasks, Draft draft, Liveness liveness, boolean complete) {
        this.tasks = List.copyOf(tasks);
        this.standIns = draft.standIns();
        this.assumptions = List.copyOf(draft.assumptions());
        this.dyingAtStart = liveness.dyingAtStart();
        this.dyingAfter = liveness.dyingAfter(tasks.size());
        this.complete = complete;
    }

    /** In the order in which they run. */
    public List<Task> tasks() {
        return tasks;
    }

    /** Where a value is found: its own place, or that of the value that stands for it. */
    public int slot(int value) {
        return standIns[value];
    }

    /** Whether a run's data are what the plan was made for. */
    boolean fits(Graph graph) {
        for (Assumption assumption : assumptions) {
            if (!assumption.holdsFor(graph)) {
                return false;
            }
        }
        return true;
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

package dev.outpost.runtime.plan;

import dev.outpost.runtime.plan.rewrite.Draft;
import java.util.List;

/**
 * Tasks in an order, and what follows from it for memory.
 *
 * @param tasks in the order in which they run
 * @param liveness when each value dies
 * @param donations which results take the memory of an operand
 * @param memory how much is held
 */
record Arrangement(List<Task> tasks, Liveness liveness, Donations donations, MemoryPlan memory) {

    /** As it was recorded, and each result in memory of its own. */
    static Arrangement plain(Draft draft, List<Task> tasks) {
        Liveness liveness = Liveness.of(draft, tasks);
        Storages storages = Storages.of(draft, liveness);
        return of(draft, tasks, liveness, storages, Donations.none(draft, tasks, storages));
    }

    /** As it was recorded, unless another order holds less; and results over operands that die. */
    static Arrangement thrifty(Draft draft, List<Task> tasks) {
        Arrangement recorded = inOrder(draft, tasks);
        Storages storages = Storages.of(draft, recorded.liveness);
        Arrangement other = inOrder(draft, Schedule.of(draft, tasks, storages));
        return other.memory.peakBytes() < recorded.memory.peakBytes() ? other : recorded;
    }

    private static Arrangement inOrder(Draft draft, List<Task> tasks) {
        Liveness liveness = Liveness.of(draft, tasks);
        Storages storages = Storages.of(draft, liveness);
        return of(draft, tasks, liveness, storages, Donations.of(draft, tasks, storages));
    }

    private static Arrangement of(
            Draft draft, List<Task> tasks, Liveness liveness, Storages storages, Donations donations) {
        return new Arrangement(tasks, liveness, donations, MemoryPlan.of(draft, tasks, storages, donations));
    }
}

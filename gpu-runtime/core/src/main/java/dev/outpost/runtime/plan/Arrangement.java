package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tasks in an order, and what follows from it for memory.
 *
 * @param tasks in the order in which they run
 * @param liveness when each value dies
 * @param donations which results take the memory of an operand
 * @param memory how much is held
 * @param units which tasks are launched as one
 * @param exchanging which are, where the machines of a group launch their exchanges with them; none where it has no such units
 * @param arena where they keep what only they need; null where there are no units
 */
record Arrangement(
        List<Task> tasks,
        Liveness liveness,
        Donations donations,
        MemoryPlan memory,
        List<LaunchGroup> units,
        List<LaunchGroup> exchanging,
        Arena arena) {

    /** As it was recorded, and each result in memory of its own. */
    static Arrangement plain(RewriteContext draft, List<Task> tasks) {
        Liveness liveness = Liveness.of(draft, tasks);
        AliasSets storages = AliasSets.of(draft, liveness);
        return of(draft, tasks, liveness, storages, Donations.none(draft, tasks, storages));
    }

    /**
     * As it was recorded, unless another order holds less, or begins exchanges earlier and holds no more; and results over
     * operands that die.
     */
    static Arrangement thrifty(RewriteContext draft, List<Task> tasks) {
        Arrangement recorded = inOrder(draft, tasks);
        AliasSets storages = AliasSets.of(draft, recorded.liveness);
        Arrangement other = inOrder(draft, TaskOrder.of(draft, tasks, storages));
        long saved = recorded.memory.peakBytes() - other.memory.peakBytes();
        return saved > 0 || saved == 0 && hasExchanges(draft, tasks) ? other : recorded;
    }

    private static boolean hasExchanges(RewriteContext draft, List<Task> tasks) {
        Instruction[] instructions = draft.byPlace();
        return tasks.stream().anyMatch(task -> instructions[task.instructions()[0]].op() instanceof Collective);
    }

    private static Arrangement inOrder(RewriteContext draft, List<Task> tasks) {
        Liveness liveness = Liveness.of(draft, tasks);
        AliasSets storages = AliasSets.of(draft, liveness);
        return of(draft, tasks, liveness, storages, Donations.of(draft, tasks, storages));
    }

    private static Arrangement of(
            RewriteContext draft, List<Task> tasks, Liveness liveness, AliasSets storages, Donations donations) {
        MemoryPlan memory = MemoryPlan.of(draft, tasks, storages, donations);
        return new Arrangement(tasks, liveness, donations, memory, List.of(), List.of(), null);
    }

    /**
     * With units of the tasks, where there are any.
     *
     * @param unites whether the kernel of an instruction may be one of a unit
     * @param mayExchange whether the engine may have exchanges in units
     */
    Arrangement united(RewriteContext draft, Predicate<Instruction> unites, boolean mayExchange) {
        AliasSets storages = AliasSets.of(draft, liveness);
        List<LaunchGroup> found = LaunchGrouping.of(draft, tasks, storages, donations, unites);
        List<LaunchGroup> exchangingUnits = mayExchange ? exchanging(draft, storages, unites) : List.of();
        if (found.isEmpty() && exchangingUnits.isEmpty()) {
            return this;
        }
        Arena place = Arena.of(draft, tasks, storages, donations, List.of(found, exchangingUnits));
        found.forEach(unit -> place.withNumbers(unit.numbers()));
        exchangingUnits.forEach(unit -> place.withNumbers(unit.numbers()));
        return new Arrangement(tasks, liveness, donations, memory, found, exchangingUnits, place);
    }

    private List<LaunchGroup> exchanging(RewriteContext draft, AliasSets storages, Predicate<Instruction> unites) {
        if (!hasExchanges(draft, tasks)) {
            return List.of();
        }
        List<LaunchGroup> units = LaunchGrouping.withExchanges(draft, tasks, storages, donations, unites);
        return units.stream().anyMatch(LaunchGroup::exchanges) ? units : List.of();
    }
}

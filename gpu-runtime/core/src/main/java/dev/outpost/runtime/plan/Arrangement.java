package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tasks in an order, and the memory plan that results from the order.
 *
 * @param tasks the tasks, in the order in which they run
 * @param liveness the last use of each value
 * @param donations the results that reuse the memory of an operand
 * @param memory the memory that is held
 * @param groups the launch groups for runs without exchanges in launch groups
 * @param exchanging the launch groups for runs whose machines launch exchanges together with kernels; empty if no
 *     group has an exchange
 * @param arena the memory of the values that runs create and release; null if there are no launch groups
 */
record Arrangement(
        List<Task> tasks,
        Liveness liveness,
        Donations donations,
        MemoryPlan memory,
        List<LaunchGroup> groups,
        List<LaunchGroup> exchanging,
        Arena arena) {

    /** Returns the tasks in their recorded order, with separate memory for each result. */
    static Arrangement plain(RewriteContext context, List<Task> tasks) {
        Liveness liveness = Liveness.of(context, tasks);
        AliasSets aliasSets = AliasSets.of(context, liveness);
        return of(context, tasks, liveness, aliasSets, Donations.none(context, tasks, aliasSets));
    }

    /**
     * Returns the tasks in their recorded order, or in another order if that needs less memory, or needs no more
     * memory and begins exchanges earlier. Results reuse the memory of operands that die.
     */
    static Arrangement thrifty(RewriteContext context, List<Task> tasks) {
        Arrangement recorded = inOrder(context, tasks);
        AliasSets aliasSets = AliasSets.of(context, recorded.liveness);
        Arrangement other = inOrder(context, TaskOrder.of(context, tasks, aliasSets));
        long saved = recorded.memory.peakBytes() - other.memory.peakBytes();
        return saved > 0 || saved == 0 && hasExchanges(context, tasks) ? other : recorded;
    }

    private static boolean hasExchanges(RewriteContext context, List<Task> tasks) {
        Instruction[] instructions = context.byPlace();
        return tasks.stream().anyMatch(task -> instructions[task.instructions()[0]].op() instanceof Collective);
    }

    private static Arrangement inOrder(RewriteContext context, List<Task> tasks) {
        Liveness liveness = Liveness.of(context, tasks);
        AliasSets aliasSets = AliasSets.of(context, liveness);
        return of(context, tasks, liveness, aliasSets, Donations.of(context, tasks, aliasSets));
    }

    private static Arrangement of(
            RewriteContext context, List<Task> tasks, Liveness liveness, AliasSets aliasSets, Donations donations) {
        MemoryPlan memory = MemoryPlan.of(context, tasks, aliasSets, donations);
        return new Arrangement(tasks, liveness, donations, memory, List.of(), List.of(), null);
    }

    /**
     * Returns the arrangement with launch groups, if any can be formed.
     *
     * @param unites true if the kernel of an instruction may be in a launch group
     * @param mayExchange true if the engine can have exchanges in launch groups
     */
    Arrangement united(RewriteContext context, Predicate<Instruction> unites, boolean mayExchange) {
        AliasSets aliasSets = AliasSets.of(context, liveness);
        List<LaunchGroup> found = LaunchGrouping.of(context, tasks, aliasSets, donations, unites);
        List<LaunchGroup> exchangingGroups = mayExchange ? exchanging(context, aliasSets, unites) : List.of();
        if (found.isEmpty() && exchangingGroups.isEmpty()) {
            return this;
        }
        Arena place = Arena.of(context, tasks, aliasSets, donations, List.of(found, exchangingGroups));
        found.forEach(group -> place.withNumbers(group.numbers()));
        exchangingGroups.forEach(group -> place.withNumbers(group.numbers()));
        return new Arrangement(tasks, liveness, donations, memory, found, exchangingGroups, place);
    }

    private List<LaunchGroup> exchanging(RewriteContext context, AliasSets aliasSets, Predicate<Instruction> unites) {
        if (!hasExchanges(context, tasks)) {
            return List.of();
        }
        List<LaunchGroup> groups = LaunchGrouping.withExchanges(context, tasks, aliasSets, donations, unites);
        return groups.stream().anyMatch(LaunchGroup::exchanges) ? groups : List.of();
    }
}

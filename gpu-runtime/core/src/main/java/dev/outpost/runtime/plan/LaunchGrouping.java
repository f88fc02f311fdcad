package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.engine.WholeExchange;
import dev.outpost.runtime.plan.rewrite.MayFault;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Cuts a plan into launch groups. If a kernel of a group refuses a value, the tasks of the group run again one by
 * one, so all values that existed before the group must be intact. So a group with a kernel that may refuse a value
 * has no kernel that overwrites an older value. A kernel does not check an index that an earlier group has checked
 * against the same bounds.
 *
 * <p>Exchanges of the whole machine group may be part of launch groups too. Such a launch group has no kernel that
 * may refuse a value, because the other machines rely on each of its exchanges from the beginning.
 */
final class LaunchGrouping {
    private static final int FEWEST_KERNELS = 2;
    private static final int MAX_KERNELS = 1024;

    private final Instruction[] instructions;
    private final List<Task> tasks;
    private final AliasSets aliasSets;
    private final int[][] donors;
    private final Predicate<Instruction> unites;
    private final boolean takesExchanges;
    /** For each value, the index of the task that computes it; -1 for inputs. */
    private final int[] madeBy;

    private final List<LaunchGroup> groups = new ArrayList<>();
    private int first;
    private int kernels;
    private int numbers;
    /**
     * The bounds that earlier groups have checked. The runtime waits for the result of a group that checks bounds.
     */
    private final Set<IndexBound> known = new HashSet<>();

    /** The bounds that the current group checks. */
    private final Set<IndexBound> found = new HashSet<>();

    /** The indices of the current group's tasks whose index operands are known to be in bounds. */
    private BitSet trusted = new BitSet();

    private boolean refuses;
    private boolean overwrites;
    /** The indices of the current group's exchanges. */
    private final List<Integer> exchanges = new ArrayList<>();

    private LaunchGrouping(
            RewriteContext context,
            List<Task> tasks,
            AliasSets aliasSets,
            int[][] donors,
            Predicate<Instruction> unites,
            boolean takesExchanges) {
        this.instructions = context.byPlace();
        this.tasks = tasks;
        this.aliasSets = aliasSets;
        this.donors = donors;
        this.unites = unites;
        this.takesExchanges = takesExchanges;
        this.madeBy = new int[context.graph().valueCount()];
        Arrays.fill(madeBy, -1);
    }

    /** @param unites true if the kernel of an instruction may be in a launch group */
    static List<LaunchGroup> of(
            RewriteContext context,
            List<Task> tasks,
            AliasSets aliasSets,
            Donations donations,
            Predicate<Instruction> unites) {
        return new LaunchGrouping(context, tasks, aliasSets, donations.byTask(), unites, false).all();
    }

    /** Works like {@link #of}, but exchanges may be among the tasks of a group. */
    static List<LaunchGroup> withExchanges(
            RewriteContext context,
            List<Task> tasks,
            AliasSets aliasSets,
            Donations donations,
            Predicate<Instruction> unites) {
        return new LaunchGrouping(context, tasks, aliasSets, donations.byTask(), unites, true).all();
    }

    private List<LaunchGroup> all() {
        for (int task = 0; task < tasks.size(); task++) {
            add(task);
        }
        cut(tasks.size());
        return groups;
    }

    private void add(int number) {
        Task task = tasks.get(number);
        for (int place : task.instructions()) {
            Instruction instruction = instructions[place];
            for (int position = 0; position < instruction.resultCount(); position++) {
                madeBy[instruction.result(position)] = number;
            }
        }
        if (!isUnited(task)) {
            cut(number);
            standAlone(number);
            return;
        }
        if (mayRefuse(task) && (overwrites || !exchanges.isEmpty())
                || refuses && (overwritesOlder(number) || isExchange(task))
                || kernels == MAX_KERNELS) {
            cut(number);
        }
        boolean mayRefuse = mayRefuse(task);
        boolean writesOver = overwritesOlder(number);
        if (mayRefuse && writesOver) {
            cut(number);
            standAlone(number);
            return;
        }
        note(task, found);
        trusted.set(number, !mayRefuse && !isExchange(task) && faults(task));
        refuses |= mayRefuse;
        overwrites |= writesOver;
        if (isExchange(task)) {
            exchanges.add(number);
        }
        kernels += task.kernel() == null && !isExchange(task) ? 0 : 1;
        numbers += numbers(task);
    }

    private boolean isExchange(Task task) {
        return instructions[task.instructions()[0]].op() instanceof Collective;
    }

    private boolean isUnited(Task task) {
        Instruction one = instructions[task.instructions()[0]];
        if (one.op() instanceof Collective exchange) {
            return takesExchanges && WholeExchange.is(exchange);
        }
        if (one.op() instanceof PlacementOp) {
            // A view of elements that are not contiguous is a view of a copy, so it needs a kernel.
            return one.op() instanceof AsStrided && aliasSets.of(one.result(0)) != one.result(0);
        }
        for (int place : task.instructions()) {
            if (!unites.test(instructions[place])) {
                return false;
            }
        }
        return true;
    }

    private void standAlone(int number) {
        note(tasks.get(number), known);
        first = number + 1;
    }

    /** Adds the bounds that are checked once the task has run. */
    private void note(Task task, Set<IndexBound> bounds) {
        for (int place : task.instructions()) {
            IndexBound.demandedBy(instructions[place]).ifPresent(bounds::addAll);
            bounds.addAll(IndexBound.ensuredBy(instructions[place]));
        }
    }

    private boolean faults(Task task) {
        for (int place : task.instructions()) {
            if (MayFault.is(instructions[place])) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if the task may refuse a value. An exchange fails only if the machine group is broken, never because
     * of a value.
     */
    private boolean mayRefuse(Task task) {
        if (isExchange(task)) {
            return false;
        }
        for (int place : task.instructions()) {
            Instruction instruction = instructions[place];
            if (MayFault.is(instruction) && !isKnown(IndexBound.demandedBy(instruction))) {
                return true;
            }
        }
        return false;
    }

    private boolean isKnown(Optional<List<IndexBound>> demands) {
        return demands.isPresent() && known.containsAll(demands.get());
    }

    private boolean overwritesOlder(int task) {
        for (int donor : donors[task]) {
            if (donor != Plan.NO_DONOR && madeBy[aliasSets.of(donor)] < first) {
                return true;
            }
        }
        return false;
    }

    private int numbers(Task task) {
        int count = 0;
        if (task.isFused()) {
            for (Task.Operand operand : task.operands()) {
                count += isNumber(instructions[operand.instruction()], operand.position()) ? 1 : 0;
            }
            return count;
        }
        Instruction one = instructions[task.instructions()[0]];
        for (int position = 0; position < one.operandCount(); position++) {
            count += isNumber(one, position) ? 1 : 0;
        }
        return count;
    }

    private static boolean isNumber(Instruction instruction, int position) {
        return instruction.operand(position) == Instruction.IMMEDIATE;
    }

    /** Ends a group before a task. The next group begins with that task. */
    private void cut(int end) {
        if (kernels >= FEWEST_KERNELS) {
            int[] among = exchanges.stream().mapToInt(Integer::intValue).toArray();
            groups.add(new LaunchGroup(first, end, numbers, refuses, trusted, among));
        }
        exchanges.clear();
        first = end;
        kernels = 0;
        numbers = 0;
        refuses = false;
        trusted = new BitSet();
        overwrites = false;
        known.addAll(found);
        found.clear();
    }
}

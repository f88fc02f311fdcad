package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Orders tasks so that they need less memory. A task that frees at least as much memory as it allocates runs as soon
 * as possible, such as the update of a parameter once its gradient is computed. Views, and values without operands
 * such as zeros, are created right before their first use. All other tasks keep their recorded order. A task that
 * needs the result of an exchange with other machines is not moved forward, so that the machine computes during the
 * exchange.
 */
final class TaskOrder {
    private final List<Task> tasks;
    private final Instruction[] instructions;
    private final AliasSets aliasSets;
    /** The storages that each task reads. */
    private final List<Set<Integer>> reads = new ArrayList<>();
    /** The bytes of the storages that each task creates. */
    private final long[] takes;
    /** The tasks that have not read each storage yet. */
    private final List<Set<Integer>> readers = new ArrayList<>();
    /** The lazy tasks that each task needs. */
    private final List<Set<Integer>> pulls = new ArrayList<>();
    /** For each task, the tasks that need its results, and the number of tasks that it waits for. */
    private final List<Set<Integer>> followers = new ArrayList<>();

    private final int[] waitsFor;
    private final int[] makers;
    /**
     * The lazy tasks, which run right before their first use. For each of them, the task that must precede it, or -1.
     */
    private final BitSet isLazy = new BitSet();

    private final int[] comesAfter;
    private final BitSet done = new BitSet();
    /**
     * The latest exchange with other machines, which must precede the next one: all members run exchanges in the
     * order of the program.
     */
    private int latestExchange = -1;

    private final PriorityQueue<Integer> thrifty = new PriorityQueue<>();
    private final BitSet isQueued = new BitSet();
    /** Exchanges, and the tasks that need the result of one. */
    private final BitSet isExchange = new BitSet();

    private final BitSet waitsForOthers = new BitSet();

    private TaskOrder(RewriteContext context, List<Task> tasks, AliasSets aliasSets) {
        this.tasks = tasks;
        this.instructions = context.byPlace();
        this.aliasSets = aliasSets;
        this.takes = new long[tasks.size()];
        this.waitsFor = new int[tasks.size()];
        this.comesAfter = new int[tasks.size()];
        this.makers = new int[context.replacements().length];
        Arrays.fill(makers, -1);
        for (int value = 0; value < makers.length; value++) {
            readers.add(new HashSet<>());
        }
        for (int task = 0; task < tasks.size(); task++) {
            followers.add(new HashSet<>());
            reads.add(new HashSet<>());
            pulls.add(new LinkedHashSet<>());
            connect(task);
        }
    }

    /** @param aliasSets the alias sets of any order of the tasks */
    static List<Task> of(RewriteContext context, List<Task> tasks, AliasSets aliasSets) {
        return new TaskOrder(context, tasks, aliasSets).ordered();
    }

    private void connect(int task) {
        Instruction first = instructions[tasks.get(task).instructions()[0]];
        if (!tasks.get(task).isFused() && isLazy(first)) {
            isLazy.set(task);
            comesAfter[task] = first.operandCount() == 0 ? -1 : strictMaker(first.operand(0));
            makers[first.result(0)] = task;
            return;
        }
        if (first.op() instanceof Collective) {
            if (latestExchange >= 0 && followers.get(latestExchange).add(task)) {
                waitsFor[task]++;
            }
            latestExchange = task;
            isExchange.set(task);
        }
        for (int place : tasks.get(task).instructions()) {
            Instruction instruction = instructions[place];
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && makers[value] != task) {
                    read(task, value);
                }
            }
            for (int position = 0; position < instruction.resultCount(); position++) {
                makers[instruction.result(position)] = task;
            }
        }
        for (int result : tasks.get(task).stored(instructions)) {
            takes[task] += aliasSets.of(result) == result ? aliasSets.bytes(result) : 0;
        }
    }

    private boolean isLazy(Instruction instruction) {
        return switch (instruction.op()) {
            case Fill _, Arange _, Random _ -> true;
            case AsStrided _ -> aliasSets.of(instruction.result(0)) != instruction.result(0);
            default -> false;
        };
    }

    private void read(int task, int value) {
        reads.get(task).add(aliasSets.of(value));
        readers.get(aliasSets.of(value)).add(task);
        if (makers[value] >= 0 && isLazy.get(makers[value])) {
            pulls.get(task).add(makers[value]);
        }
        int maker = strictMaker(value);
        if (maker >= 0 && isExchange.get(maker) && !isExchange.get(task)) {
            waitsForOthers.set(task);
        }
        if (maker >= 0 && followers.get(maker).add(task)) {
            waitsFor[task]++;
        }
    }

    /** Returns the task that computes a value or the base of a view; -1 for inputs and for values without operands. */
    private int strictMaker(int value) {
        int maker = makers[value];
        return maker >= 0 && isLazy.get(maker) ? comesAfter[maker] : maker;
    }

    private List<Task> ordered() {
        for (int task = 0; task < tasks.size(); task++) {
            consider(task);
        }
        List<Task> order = new ArrayList<>(tasks.size());
        for (int next = 0; next < tasks.size(); next++) {
            while (!thrifty.isEmpty()) {
                run(thrifty.remove(), order);
            }
            if (!isLazy.get(next)) {
                run(next, order);
            }
        }
        // The remaining tasks compute values that outlive the segment and that no other task needs.
        for (int next = 0; next < tasks.size(); next++) {
            pull(next, order);
        }
        return order;
    }

    private void run(int task, List<Task> order) {
        if (done.get(task)) {
            return;
        }
        pulls.get(task).forEach(lazy -> pull(lazy, order));
        done.set(task);
        order.add(tasks.get(task));
        for (int follower : followers.get(task)) {
            waitsFor[follower]--;
            consider(follower);
        }
        for (int storage : reads.get(task)) {
            Set<Integer> left = readers.get(storage);
            left.remove(task);
            if (left.size() == 1) {
                consider(left.iterator().next());
            }
        }
    }

    /** Appends a lazy task to the order, after the lazy tasks whose results it views. */
    private void pull(int lazy, List<Task> order) {
        Deque<Integer> chain = new ArrayDeque<>();
        for (int task = lazy; task >= 0 && isLazy.get(task) && !done.get(task); task = base(task)) {
            chain.push(task);
        }
        for (int task : chain) {
            done.set(task);
            order.add(tasks.get(task));
        }
    }

    private int base(int lazy) {
        Instruction instruction = instructions[tasks.get(lazy).instructions()[0]];
        return instruction.operandCount() == 0 ? -1 : makers[instruction.operand(0)];
    }

    /**
     * Queues a task if it frees at least as much memory as it allocates. While a task waits, the bytes that it frees
     * can only increase, so it is queued once.
     */
    private void consider(int task) {
        boolean isReady = waitsFor[task] == 0 && !isLazy.get(task) && !done.get(task);
        boolean isEarly = !waitsForOthers.get(task) && grows(task) <= 0;
        if (isReady && !isQueued.get(task) && isEarly) {
            isQueued.set(task);
            thrifty.add(task);
        }
    }

    /**
     * Returns the bytes that are held after a task minus those that are held before it. A lazy value that only this
     * task uses exists only during the task, so it does not count.
     */
    private long grows(int task) {
        long grows = takes[task];
        for (int storage : reads.get(task)) {
            boolean isLast = readers.get(storage).size() == 1 && aliasSets.lastUse(storage) < tasks.size();
            boolean isMade = makers[storage] < 0 || done.get(makers[storage]);
            if (isLast == isMade) {
                grows += isLast ? -aliasSets.bytes(storage) : aliasSets.bytes(storage);
            }
        }
        return grows;
    }
}

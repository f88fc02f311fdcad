package dev.outpost.runtime.plan;

import dev.outpost.protocol.tape.Instruction;
import dev.outpost.runtime.plan.rewrite.Draft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * An order of tasks that holds less: what frees at least as much as it takes runs as soon as it can, such as an update of a
 * parameter when its gradient is there; everything else as it was recorded.
 */
final class Schedule {
    private final List<Task> tasks;
    private final Instruction[] instructions;
    private final Storages storages;
    /** By task: the storages that it reads. */
    private final List<Set<Integer>> reads = new ArrayList<>();
    /** By task: bytes of the storages that it makes. */
    private final long[] takes;
    /** By storage: tasks that have yet to read it. */
    private final List<Set<Integer>> readers = new ArrayList<>();
    /** By task: those that need its results, and how many it waits for itself. */
    private final List<Set<Integer>> followers = new ArrayList<>();

    private final int[] waitsFor;
    private final BitSet done = new BitSet();
    private final PriorityQueue<Integer> thrifty = new PriorityQueue<>();
    private final BitSet isQueued = new BitSet();

    private Schedule(Draft draft, List<Task> tasks, Storages storages) {
        this.tasks = tasks;
        this.instructions = draft.byPlace();
        this.storages = storages;
        this.takes = new long[tasks.size()];
        this.waitsFor = new int[tasks.size()];
        int[] makers = new int[draft.standIns().length];
        Arrays.fill(makers, -1);
        for (int value = 0; value < makers.length; value++) {
            readers.add(new HashSet<>());
        }
        for (int task = 0; task < tasks.size(); task++) {
            followers.add(new HashSet<>());
            reads.add(new HashSet<>());
            connect(task, makers);
        }
    }

    /** @param storages of any order */
    static List<Task> of(Draft draft, List<Task> tasks, Storages storages) {
        return new Schedule(draft, tasks, storages).ordered();
    }

    private void connect(int task, int[] makers) {
        for (int place : tasks.get(task).instructions()) {
            Instruction instruction = instructions[place];
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && makers[value] != task) {
                    read(task, value, makers[value]);
                }
            }
            for (int position = 0; position < instruction.resultCount(); position++) {
                makers[instruction.result(position)] = task;
            }
        }
        for (int result : tasks.get(task).stored(instructions)) {
            takes[task] += storages.of(result) == result ? storages.bytes(result) : 0;
        }
    }

    private void read(int task, int value, int maker) {
        reads.get(task).add(storages.of(value));
        readers.get(storages.of(value)).add(task);
        if (maker >= 0 && followers.get(maker).add(task)) {
            waitsFor[task]++;
        }
    }

    private List<Task> ordered() {
        for (int task = 0; task < tasks.size(); task++) {
            consider(task);
        }
        List<Task> order = new ArrayList<>(tasks.size());
        for (int next = 0; order.size() < tasks.size(); ) {
            if (thrifty.isEmpty()) {
                next = done.nextClearBit(next);
                run(next, order);
            } else {
                run(thrifty.remove(), order);
            }
        }
        return order;
    }

    private void run(int task, List<Task> order) {
        if (done.get(task)) {
            return;
        }
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

    /** What a task frees grows only while it waits, so it is found to be thrifty once. */
    private void consider(int task) {
        if (waitsFor[task] == 0 && !done.get(task) && !isQueued.get(task) && frees(task) >= takes[task]) {
            isQueued.set(task);
            thrifty.add(task);
        }
    }

    private long frees(int task) {
        long frees = 0;
        for (int storage : reads.get(task)) {
            boolean isLast = readers.get(storage).size() == 1 && storages.lastUse(storage) < tasks.size();
            frees += isLast ? storages.bytes(storage) : 0;
        }
        return frees;
    }
}

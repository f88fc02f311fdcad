package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Fuses instructions that use each other's results into groups. Groups are as large as possible, but two groups never
 * wait for each other. It fuses elementwise instructions of one shape and, by {@link RowFusion}, instructions that
 * are computed row by row.
 */
final class Fusion {
    private final List<FusionGroup> groups = new ArrayList<>();
    private final GroupOrder order = new GroupOrder();
    /** The number of the group that computes a value; -1 for an input. */
    private final int[] groupOf;

    private final RowFusion rows;
    private final Uses uses;
    /** The group of the latest exchange with other machines, which the next exchange must follow; -1 if there was no exchange. */
    private int latestExchange = -1;

    private Fusion(Graph graph, Predicate<Instruction> inRows) {
        this.uses = Uses.of(graph);
        this.groupOf = new int[graph.valueCount()];
        Arrays.fill(groupOf, -1);
        this.rows = new RowFusion(inRows, groupOf);
    }

    /**
     * Returns every instruction once, in kernels that can run in the order of the list.
     *
     * @param inRows true if the engine has code for an instruction in {@link dev.outpost.runtime.engine.FusedRows}
     * @param isKept true if a value outlives the segment
     */
    static List<KernelBody> of(Graph graph, Predicate<Instruction> inRows, IntPredicate isKept) {
        Fusion fusion = new Fusion(graph, inRows);
        graph.instructions().forEach(fusion::place);
        for (int number = 0; number < fusion.groups.size(); number++) {
            fusion.takeAlong(number);
        }
        ProducerSinking sinking =
                new ProducerSinking(fusion.uses, fusion.groupOf, number -> fusion.groups.get(number).members, isKept);
        graph.instructions().reversed().forEach(instruction -> fusion.sink(instruction, sinking));
        return fusion.ordered();
    }

    /** Returns a separate kernel for each instruction. */
    static List<KernelBody> none(Graph graph) {
        return graph.instructions().stream().map(KernelBody::single).toList();
    }

    // ---- placing an instruction

    private void place(Instruction instruction) {
        Set<Integer> producers = producers(instruction);
        if (instruction.op() instanceof Collective) {
            openExchange(instruction, producers);
            return;
        }
        int target = joinable(instruction, producers);
        if (target < 0) {
            open(instruction, producers);
        } else {
            join(instruction, target, producers);
        }
    }

    /**
     * Opens a group for an exchange. All members must begin their exchanges in one order, so each exchange follows the
     * previous one.
     */
    private void openExchange(Instruction instruction, Set<Integer> producers) {
        if (latestExchange >= 0) {
            producers.add(latestExchange);
        }
        open(instruction, producers);
        latestExchange = groups.size() - 1;
    }

    static boolean isElementwise(Op op) {
        return op instanceof Unary || op instanceof Binary || op instanceof Ternary || op instanceof Cast;
    }

    private Set<Integer> producers(Instruction instruction) {
        // Tries the latest group first, because values that were computed last are most likely still in caches.
        Set<Integer> producers = new TreeSet<>(Comparator.reverseOrder());
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value != Instruction.IMMEDIATE && groupOf[value] >= 0) {
                producers.add(groupOf[value]);
            }
        }
        return producers;
    }

    private int joinable(Instruction instruction, Set<Integer> producers) {
        return producers.stream()
                .filter(number -> fits(instruction, number))
                .filter(number -> producers.stream().noneMatch(other -> order.waits(other, number)))
                .findFirst()
                .orElse(-1);
    }

    private boolean fits(Instruction instruction, int number) {
        FusionGroup group = groups.get(number);
        boolean fits = isElementwise(instruction.op())
                && group.rowMatrix == null
                && instruction.resultType(0).shape().equals(group.shape);
        return group.hasRoomFor(1, instruction.operandCount()) && (fits || rows.fits(instruction, group, number));
    }

    private void open(Instruction instruction, Set<Integer> producers) {
        FusionGroup group = new FusionGroup();
        group.shape =
                isElementwise(instruction.op()) ? instruction.resultType(0).shape() : null;
        group.rowMatrix = rows.opened(instruction);
        int number = opened(group);
        producers.forEach(producer -> order.follow(number, producer));
        add(instruction, number);
    }

    private int opened(FusionGroup group) {
        groups.add(group);
        return order.open();
    }

    private void join(Instruction instruction, int number, Set<Integer> producers) {
        FusionGroup group = groups.get(number);
        group.rowMatrix = rows.joined(instruction, group);
        producers.stream().filter(producer -> producer != number).forEach(producer -> order.follow(number, producer));
        add(instruction, number);
        producers.stream().filter(producer -> producer != number).forEach(producer -> merge(producer, number));
    }

    private void add(Instruction instruction, int number) {
        FusionGroup group = groups.get(number);
        group.members.add(instruction);
        RowFusion.note(instruction, group);
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE) {
                group.operands.add(List.of(instruction.index(), position));
            } else if (groupOf[value] != number) {
                group.operands.add(value);
            }
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            groupOf[instruction.result(position)] = number;
        }
    }

    // ---- groups with a common operand

    /**
     * Merges a single reduction into a group with rows that reads the same operand, unless that group waits for the reduction. The operand
     * is then read once. The reduction waits for nothing but its operand.
     */
    private void takeAlong(int number) {
        FusionGroup alone = groups.get(number);
        if (alone.rowMatrix == null || alone.members.size() != 1) {
            return;
        }
        int folded = alone.members.getFirst().operand(0);
        if (folded == Instruction.IMMEDIATE) {
            return;
        }
        for (int other : usingGroups(folded)) {
            FusionGroup reader = groups.get(other);
            if (other != number
                    && !alone.isGone()
                    && alone.rowMatrix.equals(reader.rowMatrix)
                    && reader.operands.contains(folded)
                    && !order.waits(other, number)) {
                merge(number, other);
            }
        }
    }

    private Set<Integer> usingGroups(int value) {
        Set<Integer> using = new TreeSet<>();
        uses.of(value).forEach(user -> using.add(groupOf[user.result(0)]));
        return using;
    }

    // ---- moving into a later group

    private void sink(Instruction instruction, ProducerSinking sinking) {
        int from = groupOf[instruction.result(0)];
        boolean isMovable =
                isElementwise(instruction.op()) && groups.get(from).members.size() > 1;
        int target = isMovable ? sinking.target(instruction) : -1;
        if (target >= 0) {
            takeOut(instruction, from);
            int alone = groups.size() - 1;
            merge(alone, target);
            if (!groups.get(alone).isGone()) {
                putBack(instruction, from);
            }
        }
    }

    /** Moves the instruction into a new group at the end. */
    private void takeOut(Instruction instruction, int from) {
        FusionGroup alone = new FusionGroup();
        alone.shape = instruction.resultType(0).shape();
        int number = opened(alone);
        order.follow(number, from);
        groups.get(from).members.remove(instruction);
        add(instruction, number);
    }

    private void putBack(Instruction instruction, int from) {
        groups.removeLast();
        order.undo();
        groupOf[instruction.result(0)] = from;
        groups.get(from).members.add(instruction);
        groups.get(from).members.sort(Comparator.comparingInt(Instruction::index));
    }

    // ---- merging groups

    /** Merges an earlier group into a later one that needs it, unless the merged group would be too large. */
    private void merge(int from, int into) {
        FusionGroup source = groups.get(from);
        FusionGroup target = groups.get(into);
        if (source.isGone()
                || !canBeOne(source, target, from)
                || order.isAnyBetween(from, into)
                || !target.hasRoomFor(source.members.size(), source.operands.size())) {
            return;
        }
        target.rowMatrix = target.rowMatrix == null ? source.rowMatrix : target.rowMatrix;
        target.members.addAll(0, source.members);
        target.members.sort(Comparator.comparingInt(Instruction::index));
        source.members.forEach(member -> groupOf[member.result(0)] = into);
        target.footers.addAll(source.footers);
        target.operands.addAll(source.operands);
        target.operands.removeIf(operand -> operand instanceof Integer value && groupOf[value] == into);
        source.members.clear();
        order.merge(from, into);
    }

    private boolean canBeOne(FusionGroup source, FusionGroup target, int from) {
        return source.rowMatrix == null && target.rowMatrix == null
                ? target.shape != null && target.shape.equals(source.shape)
                : rows.canBeOne(source, target, from);
    }

    // ---- the order

    /**
     * Orders the groups. Each runs at the position of its last member in the program, or right after the groups that it
     * waits for.
     */
    private List<KernelBody> ordered() {
        int[] waitsFor = new int[groups.size()];
        List<List<Integer>> followers = new ArrayList<>();
        groups.forEach(_ -> followers.add(new ArrayList<>()));
        PriorityQueue<Integer> ready = new PriorityQueue<>(
                Comparator.comparingInt(number -> groups.get(number).last()));
        for (int number = 0; number < waitsFor.length; number++) {
            for (int producer : order.producers(number)) {
                followers.get(producer).add(number);
                waitsFor[number]++;
            }
            if (!groups.get(number).isGone() && waitsFor[number] == 0) {
                ready.add(number);
            }
        }
        List<KernelBody> ordered = new ArrayList<>();
        while (!ready.isEmpty()) {
            int done = ready.remove();
            ordered.addAll(KernelBody.of(groups.get(done)));
            for (int follower : followers.get(done)) {
                if (--waitsFor[follower] == 0) {
                    ready.add(follower);
                }
            }
        }
        return ordered;
    }
}

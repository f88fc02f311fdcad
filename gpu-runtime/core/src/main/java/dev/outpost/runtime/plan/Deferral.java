package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Placement;
import dev.outpost.runtime.plan.rewrite.Refusing;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Which results outlive the segment without being stored: what a group computes on its way to others, and nobody outside of it
 * uses. The program seems to hold it, mostly because the collector has not been there yet; if it asks, a group's instructions
 * and operands say how it is computed.
 */
final class Deferral {
    private final Graph graph;
    private final IntPredicate isKept;
    private final IntPredicate isUsedElsewhere;
    private final long leastBytes;
    /** By value: what it is a view of, or itself. */
    private final int[] base;

    private final BitSet deferred = new BitSet();

    private Deferral(Graph graph, IntPredicate isKept, IntPredicate isUsedElsewhere, long leastBytes) {
        this.graph = graph;
        this.isKept = isKept;
        this.isUsedElsewhere = isUsedElsewhere;
        this.leastBytes = leastBytes;
        this.base = new int[graph.valueCount()];
        Arrays.setAll(base, value -> value);
        for (Instruction instruction : graph.instructions()) {
            if (instruction.op() instanceof Placement placement) {
                share(instruction, placement);
            }
        }
    }

    private void share(Instruction instruction, Placement placement) {
        for (int position = 0; position < instruction.resultCount(); position++) {
            int operand = placement.sharedOperand(position, instruction.operandCount());
            if (operand != Placement.NONE) {
                base[instruction.result(position)] = base[instruction.operand(operand)];
            }
        }
    }

    /**
     * The values that are not stored.
     *
     * @param isKept whether a value outlives the segment
     * @param isUsedElsewhere whether others than the group that computes a value use it
     * @param leastBytes what a group has to save for it to be worth it
     */
    static BitSet of(
            Graph graph, List<Batch> batches, IntPredicate isKept, IntPredicate isUsedElsewhere, long leastBytes) {
        Deferral deferral = new Deferral(graph, isKept, isUsedElsewhere, leastBytes);
        batches.stream().filter(batch -> !batch.isSingle()).forEach(deferral::see);
        return deferral.deferred;
    }

    /**
     * What may refuse a value is not put off: its fault belongs to this segment. Nor is what an update computes, which reads an
     * input that dies: an optimizer's moments are steps to its parameters, and wanted in the next segment.
     */
    private void see(Batch batch) {
        BitSet held = heldLonger(batch);
        boolean isUpdate = held.nextSetBit(0) >= 0
                && held.nextSetBit(0) < graph.structure().inputCount();
        if (isUpdate || batch.instructions().stream().anyMatch(Refusing::is)) {
            return;
        }
        BitSet candidates = candidates(batch);
        double saved = bytes(candidates);
        // What nothing can hold is refused in this segment, by whoever would store it.
        if (saved >= leastBytes && saved < Long.MAX_VALUE && bytes(held) <= saved) {
            deferred.or(candidates);
        }
    }

    private BitSet candidates(Batch batch) {
        BitSet candidates = new BitSet();
        for (Instruction instruction : batch.instructions()) {
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && isKept.test(value) && !isUsedElsewhere.test(value)) {
                    candidates.set(value);
                }
            }
        }
        candidates.and(made(batch));
        return candidates;
    }

    private static BitSet made(Batch batch) {
        BitSet made = new BitSet();
        batch.instructions().forEach(instruction -> made.set(instruction.result(0)));
        return made;
    }

    /** What would die within the segment if its users' results were stored. */
    private BitSet heldLonger(Batch batch) {
        BitSet held = new BitSet();
        BitSet made = made(batch);
        for (Instruction instruction : batch.instructions()) {
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && !made.get(value) && !isKept.test(base[value])) {
                    held.set(base[value]);
                }
            }
        }
        return held;
    }

    private double bytes(BitSet values) {
        return values.stream()
                .mapToDouble(value -> Storages.bytes(graph.type(value)))
                .sum();
    }
}

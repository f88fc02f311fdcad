package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.plan.rewrite.MayFault;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Which results outlive the segment without being stored: what a group computes on its way to others, and nobody outside of it
 * uses. The program seems to hold it, mostly because the collector has not been there yet; if it asks, a group's instructions
 * and operands say how it is computed.
 */
final class LazyValue {
    private final Graph graph;
    private final IntPredicate isKept;
    private final IntPredicate isUsedElsewhere;
    private final long minBytes;
    /** By value: what it is a view of, or itself. */
    private final int[] base;

    private final BitSet deferred = new BitSet();

    private LazyValue(Graph graph, IntPredicate isKept, IntPredicate isUsedElsewhere, long minBytes) {
        this.graph = graph;
        this.isKept = isKept;
        this.isUsedElsewhere = isUsedElsewhere;
        this.minBytes = minBytes;
        this.base = new int[graph.valueCount()];
        Arrays.setAll(base, value -> value);
        for (Instruction instruction : graph.instructions()) {
            if (instruction.op() instanceof PlacementOp placement) {
                share(instruction, placement);
            }
        }
    }

    private void share(Instruction instruction, PlacementOp placement) {
        for (int position = 0; position < instruction.resultCount(); position++) {
            int operand = placement.sharedOperand(position, instruction.operandCount());
            if (operand != PlacementOp.NONE) {
                base[instruction.result(position)] = base[instruction.operand(operand)];
            }
        }
    }

    /**
     * The values that are not stored.
     *
     * @param isKept whether a value outlives the segment
     * @param isUsedElsewhere whether others than the group that computes a value use it
     * @param minBytes what a group has to save for it to be worth it
     */
    static BitSet of(
            Graph graph, List<KernelBody> batches, IntPredicate isKept, IntPredicate isUsedElsewhere, long minBytes) {
        LazyValue lazy = new LazyValue(graph, isKept, isUsedElsewhere, minBytes);
        batches.stream().filter(body -> !body.isSingle()).forEach(lazy::see);
        return lazy.deferred;
    }

    /**
     * A value that may fault is not put off: its fault belongs to this segment. Nor is one that an update computes,
     * which reads an input that dies: an optimizer's moments are steps to its parameters, and wanted in the next
     * segment.
     */
    private void see(KernelBody body) {
        Set<Integer> made = made(body);
        Set<Integer> held = heldLonger(body, made);
        boolean isUpdate =
                held.stream().anyMatch(value -> value < graph.structure().inputCount());
        if (isUpdate || body.instructions().stream().anyMatch(MayFault::is)) {
            return;
        }
        Set<Integer> candidates = candidates(body, made);
        double saved = bytes(candidates);
        // A value that nothing can hold is refused in this segment, by the task that would store it.
        if (saved >= minBytes && saved < Long.MAX_VALUE && bytes(held) <= saved) {
            candidates.forEach(deferred::set);
        }
    }

    private Set<Integer> candidates(KernelBody body, Set<Integer> made) {
        Set<Integer> candidates = new HashSet<>();
        for (Instruction instruction : body.instructions()) {
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (made.contains(value) && isKept.test(value) && !isUsedElsewhere.test(value)) {
                    candidates.add(value);
                }
            }
        }
        return candidates;
    }

    private static Set<Integer> made(KernelBody body) {
        return body.instructions().stream()
                .map(instruction -> instruction.result(0))
                .collect(Collectors.toSet());
    }

    /** The values that would die within the segment if their users' results were stored. */
    private Set<Integer> heldLonger(KernelBody body, Set<Integer> made) {
        Set<Integer> held = new HashSet<>();
        for (Instruction instruction : body.instructions()) {
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && !made.contains(value) && !isKept.test(base[value])) {
                    held.add(base[value]);
                }
            }
        }
        return held;
    }

    private double bytes(Set<Integer> values) {
        return values.stream()
                .mapToDouble(value -> AliasSets.bytes(graph.type(value)))
                .sum();
    }
}

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
 * Finds results that outlive the segment but need not be stored: values inside of a fused group that no other group
 * uses. Usually the client still has a reference to them only because Java's garbage collector has not run. If the
 * client requests one, it is computed from the group's operands.
 */
final class LazyValue {
    private final Graph graph;
    private final IntPredicate isKept;
    private final IntPredicate isUsedElsewhere;
    private final long minBytes;
    /** For each value, the base if it is a view, otherwise the value itself. */
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
     * Returns the values that are not stored.
     *
     * @param isKept true if a value outlives the segment
     * @param isUsedElsewhere true if another group than the one that computes a value uses it
     * @param minBytes the minimum number of bytes that a group must save
     */
    static BitSet of(
            Graph graph, List<KernelBody> batches, IntPredicate isKept, IntPredicate isUsedElsewhere, long minBytes) {
        LazyValue lazy = new LazyValue(graph, isKept, isUsedElsewhere, minBytes);
        batches.stream().filter(body -> !body.isSingle()).forEach(lazy::see);
        return lazy.deferred;
    }

    /**
     * Defers a group's values, unless the group may fault, because the fault belongs to this segment. Updates are not
     * deferred either, because they read an input that dies. For example, an optimizer's moments are computed
     * together with its parameters, and the next segment needs them.
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
        // A value that is too large for any memory is refused in this segment, by the task that would store it.
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

    /** Returns the operands that would die within the segment if the results were stored. */
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

package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.TensorType;
import java.util.Arrays;

/**
 * Determines the storages of values. A view shares the storage of its base, and the base's value number is also the
 * number of the storage. A view of elements that are not contiguous is a view of a copy.
 */
final class AliasSets {
    private final Graph graph;
    private final int[] base;
    private final long[] bytes;
    private final boolean[] isDense;
    private final int[] lastUse;
    /**
     * For a value that a guard keeps, and for a committed state, the storage that holds it if the update fails. For
     * any other value, the value itself.
     */
    private final int[] keptFor;

    private final int[] lastNeed;

    private AliasSets(Graph graph) {
        this.graph = graph;
        this.base = new int[graph.valueCount()];
        this.bytes = new long[base.length];
        this.isDense = new boolean[base.length];
        this.lastUse = new int[base.length];
        Arrays.setAll(base, value -> value);
        Arrays.setAll(bytes, value -> bytes(graph.type(value)));
        Arrays.fill(isDense, true);
        this.keptFor = base.clone();
        this.lastNeed = new int[base.length];
        Arrays.fill(lastUse, -1);
    }

    static AliasSets of(RewriteContext context, Liveness liveness) {
        AliasSets aliasSets = new AliasSets(context.graph());
        aliasSets.graph.instructions().forEach(aliasSets::place);
        for (int value = 0; value < aliasSets.base.length; value++) {
            int base = aliasSets.base[value];
            aliasSets.lastUse[base] = Math.max(aliasSets.lastUse[base], liveness.lastUse(value));
        }
        System.arraycopy(aliasSets.lastUse, 0, aliasSets.lastNeed, 0, aliasSets.lastNeed.length);
        // Processes the last value first, because a state may have been committed by an earlier update.
        for (int value = aliasSets.base.length - 1; value >= 0; value--) {
            int kept = aliasSets.keptFor[value];
            aliasSets.lastNeed[kept] = Math.max(aliasSets.lastNeed[kept], aliasSets.lastNeed[aliasSets.base[value]]);
        }
        return aliasSets;
    }

    private void place(Instruction instruction) {
        switch (instruction.op()) {
            case AsStrided view -> placeView(instruction.operand(0), instruction.result(0), view);
            case PlacementOp placement -> placeResults(instruction, placement);
            default -> {
                // The results of other ops have separate storages.
            }
        }
    }

    private void placeView(int of, int value, AsStrided view) {
        isDense[value] = view.layout().isContiguous();
        if (isDense[of]) {
            base[value] = base[of];
        } else {
            bytes[value] = bytes(graph.type(of));
        }
    }

    /**
     * Places the results of an update. A value that a guard keeps needs no memory, unless its update fails. Then it keeps the memory of the
     * state.
     */
    private void placeResults(Instruction instruction, PlacementOp placement) {
        for (int position = 0; position < instruction.resultCount(); position++) {
            int value = instruction.result(position);
            int operand = placement.sharedOperand(position, instruction.operandCount());
            if (operand != PlacementOp.NONE) {
                isDense[value] = isDense[instruction.operand(operand)];
                base[value] = base[instruction.operand(operand)];
                if (placement instanceof UpdateCommit) {
                    keptFor[value] = keptFor[instruction.operand(position)];
                }
            } else if (placement instanceof UpdateGuard guard) {
                int state = guard.gradients() + position - instruction.operandCount();
                bytes[value] = 0;
                keptFor[value] = base[instruction.operand(state)];
            }
        }
    }

    /** Returns the storage of a value: the number of the value for which the storage was made. */
    int of(int value) {
        return base[value];
    }

    /** Returns true if a value is known to fill its storage. An input may be a view. */
    boolean isWhole(int value) {
        return isDense[value] && bytes(graph.type(value)) == bytes[base[value]];
    }

    /** Returns the bytes of a storage, or the largest long if the number overflows, which exceeds every quota. */
    long bytes(int storage) {
        return bytes[storage];
    }

    /** Returns the {@link Liveness#lastUse} of the last value in a storage. */
    int lastUse(int storage) {
        return lastUse[storage];
    }

    /** Works like {@link #lastUse}, but also counts values that lie in the storage if an update fails. */
    int lastNeed(int storage) {
        return lastNeed[storage];
    }

    /** Returns the bytes of a value by its type, or the largest long if that overflows. */
    static long bytes(TensorType type) {
        long elements = type.shape().elements();
        return elements > Long.MAX_VALUE / type.dtype().bytes()
                ? Long.MAX_VALUE
                : elements * type.dtype().bytes();
    }
}

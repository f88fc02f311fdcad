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
 * Which values lie in one memory: a view lies where its base does, which gives the memory its number. A view of what is
 * not dense is one of a copy.
 */
final class AliasSets {
    private final Graph graph;
    private final int[] base;
    private final long[] bytes;
    private final boolean[] isDense;
    private final int[] lastUse;
    /** For what a guard keeps, and for what is committed, the storage in which it lies if its update fails; otherwise the value itself. */
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
        // From the last to the first, since a state may have been committed by an earlier update.
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
                // Its results have memory of their own.
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

    /** A value that a guard keeps takes no memory unless its update fails, and then it takes that of the states. */
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

    /** The storage that a value lies in, by the value that it was made for. */
    int of(int value) {
        return base[value];
    }

    /** Whether a value is all of its storage, as far as it can be told: an input may be a view. */
    boolean isWhole(int value) {
        return isDense[value] && bytes(graph.type(value)) == bytes[base[value]];
    }

    /** Saturating: no quota reaches what a long cannot say. */
    long bytes(int storage) {
        return bytes[storage];
    }

    /** As {@link Liveness#lastUse} of the last of its values. */
    int lastUse(int storage) {
        return lastUse[storage];
    }

    /** As {@link #lastUse}, or of the last value that lies in it if an update fails. */
    int lastNeed(int storage) {
        return lastNeed[storage];
    }

    /** The bytes of a value, by its type; saturating, for a type may be of more than a long can say. */
    static long bytes(TensorType type) {
        long elements = type.shape().elements();
        return elements > Long.MAX_VALUE / type.dtype().bytes()
                ? Long.MAX_VALUE
                : elements * type.dtype().bytes();
    }
}

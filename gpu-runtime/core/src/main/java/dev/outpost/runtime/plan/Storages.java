package dev.outpost.runtime.plan;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.plan.rewrite.Draft;
import java.util.Arrays;

/**
 * Which values lie in one memory: a view lies where its base does, which gives the memory its number. A view of what is
 * not dense is one of a copy.
 */
final class Storages {
    private final Graph graph;
    private final int[] base;
    private final long[] bytes;
    private final boolean[] isDense;
    private final int[] lastUse;

    private Storages(Graph graph) {
        this.graph = graph;
        this.base = new int[graph.valueCount()];
        this.bytes = new long[base.length];
        this.isDense = new boolean[base.length];
        this.lastUse = new int[base.length];
        Arrays.setAll(base, value -> value);
        Arrays.setAll(bytes, value -> bytes(graph.type(value)));
        Arrays.fill(isDense, true);
        Arrays.fill(lastUse, -1);
    }

    static Storages of(Draft draft, Liveness liveness) {
        Storages storages = new Storages(draft.graph());
        storages.graph.instructions().forEach(storages::place);
        for (int value = 0; value < storages.base.length; value++) {
            int base = storages.base[value];
            storages.lastUse[base] = Math.max(storages.lastUse[base], liveness.lastUse(value));
        }
        return storages;
    }

    private void place(Instruction instruction) {
        if (!(instruction.op() instanceof AsStrided view)) {
            return;
        }
        int of = instruction.operand(0);
        int value = instruction.result(0);
        isDense[value] = view.layout().isContiguous();
        if (isDense[of]) {
            base[value] = base[of];
        } else {
            bytes[value] = bytes(graph.type(of));
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

    /** What a value takes, by its type; saturating, for a type may be of more than a long can say. */
    static long bytes(TensorType type) {
        long elements = type.shape().elements();
        return elements > Long.MAX_VALUE / type.dtype().bytes()
                ? Long.MAX_VALUE
                : elements * type.dtype().bytes();
    }
}

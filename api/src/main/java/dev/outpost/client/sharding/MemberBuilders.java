package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Builds the programs of all members. */
final class MemberBuilders {
    private final List<GraphBuilder> builders = new ArrayList<>();
    private String line = "";

    MemberBuilders(int size) {
        for (int rank = 0; rank < size; rank++) {
            builders.add(new GraphBuilder());
        }
    }

    int size() {
        return builders.size();
    }

    /** Sets the line of the program for the instructions that are added from now on. */
    void at(String newLine) {
        line = newLine;
    }

    String line() {
        return line;
    }

    ShardedValue input(TensorType type, Sharding sharding) {
        int[] locals = none();
        for (int rank : sharding.workers()) {
            TensorType part = new TensorType(type.dtype(), sharding.partOf(type.shape(), rank));
            locals[rank] = builders.get(rank).input(part);
        }
        return new ShardedValue(sharding, locals);
    }

    /** Returns the locals of a value that no member has. */
    int[] none() {
        int[] locals = new int[builders.size()];
        Arrays.fill(locals, MemberProgram.NONE);
        return locals;
    }

    int[][] none(int count) {
        int[][] each = new int[count][];
        Arrays.setAll(each, index -> none());
        return each;
    }

    /** Adds an op over a member's own values. Operands that are numbers are those of the instruction in the whole program. */
    Instruction add(int rank, Instruction whole, Op op, ShardedValue... operands) {
        int[] locals = new int[operands.length];
        for (int position = 0; position < locals.length; position++) {
            locals[position] = operands[position] == null ? Instruction.IMMEDIATE : operands[position].local(rank);
        }
        return noted(rank, builders.get(rank).add(op, locals, SpmdRewrite.immediates(whole)));
    }

    Instruction add(int rank, Op op, int... locals) {
        return noted(rank, builders.get(rank).add(op, locals));
    }

    private Instruction noted(int rank, Instruction added) {
        if (!line.isEmpty()) {
            builders.get(rank).source(line);
        }
        return added;
    }

    void drop(int rank, int local) {
        if (local != MemberProgram.NONE) {
            builders.get(rank).drop(local);
        }
    }

    /** Builds a member's program. Only the outputs and the rebound values outlive it. */
    Graph build(int rank, int[] outputs, int[] rebound) {
        GraphBuilder builder = builders.get(rank);
        BitSet kept = new BitSet();
        for (int[] values : List.of(outputs, rebound)) {
            for (int local : values) {
                if (local != MemberProgram.NONE) {
                    kept.set(local);
                }
            }
        }
        Graph all = builder.build();
        for (int value = all.structure().inputCount(); value < all.valueCount(); value++) {
            if (!kept.get(value)) {
                builder.drop(value);
            }
        }
        return builder.build();
    }
}

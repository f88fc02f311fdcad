package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.Scalar;

/** A property of a run's data (immediate numbers, which are not part of a plan's key) on which a plan relies. */
public sealed interface Guard {
    boolean holdsFor(Graph graph);

    /**
     * Two instructions have the same data.
     *
     * @param first the index of the first instruction in the graph
     * @param second the index of the second instruction
     */
    record EqualData(int first, int second) implements Guard {
        @Override
        public boolean holdsFor(Graph graph) {
            return haveEqualData(
                    graph.instructions().get(first), graph.instructions().get(second));
        }
    }

    /**
     * A fill has the value one.
     *
     * @param place its index in the graph
     */
    record Ones(int place) implements Guard {
        @Override
        public boolean holdsFor(Graph graph) {
            return areOnes((Fill) graph.instructions().get(place).op());
        }
    }

    static boolean areOnes(Fill fill) {
        Scalar value = fill.value();
        return value.dtype().isFloating() ? value.asDouble() == 1 : value.asLong() == 1;
    }

    /** Returns true if two instructions with the same op and number of operands have the same data. */
    static boolean haveEqualData(Instruction first, Instruction second) {
        if (!first.op().equals(second.op())) {
            return false;
        }
        for (int position = 0; position < first.operandCount(); position++) {
            if (first.operand(position) == Instruction.IMMEDIATE
                    && !first.immediate(position).equals(second.immediate(position))) {
                return false;
            }
        }
        return true;
    }
}

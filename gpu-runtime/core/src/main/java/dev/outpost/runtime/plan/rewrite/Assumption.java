package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;

/**
 * That two instructions have the same data in a run: numbers that were equal when the plan was made, and are no part of
 * its key.
 *
 * @param first the place of the one in the graph
 * @param second the place of the other
 */
public record Assumption(int first, int second) {
    public boolean holdsFor(Graph graph) {
        return haveEqualData(
                graph.instructions().get(first), graph.instructions().get(second));
    }

    /** Of instructions with the same op and as many operands. */
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

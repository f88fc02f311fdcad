package dev.outpost.runtime.plan.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import java.util.BitSet;

/** Checks the properties of a graph after each rewrite. */
final class GraphVerifier {
    private final Graph whole;
    private final RewriteContext context;
    private final String where;
    private final BitSet known = new BitSet();

    private GraphVerifier(Graph whole, RewriteContext context, String where) {
        this.whole = whole;
        this.context = context;
        this.where = where;
    }

    static void verify(Graph whole, RewriteContext context, String where) {
        new GraphVerifier(whole, context, where).verify();
    }

    private void verify() {
        known.set(0, whole.structure().inputCount());
        int last = -1;
        for (Instruction instruction : context.graph().instructions()) {
            assertTrue(instruction.index() > last, () -> where + ": out of order: " + instruction);
            last = instruction.index();
            instruction(instruction);
        }
        verifyReplacements();
        results();
        refusing();
    }

    private void instruction(Instruction instruction) {
        Instruction recorded = whole.instructions().get(instruction.index());
        assertEquals(recorded.op(), instruction.op(), where);
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE) {
                assertEquals(recorded.immediate(position), instruction.immediate(position), where);
                continue;
            }
            assertTrue(
                    known.get(value), () -> where + ": needs %" + value + ", which nothing computes: " + instruction);
            assertEquals(instruction.operandType(position), whole.type(value), where);
            assertEquals(context.replacements()[recorded.operand(position)], value, where);
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            known.set(instruction.result(position));
        }
    }

    /** Replacements are earlier values of the same type that are not replaced themselves. */
    private void verifyReplacements() {
        for (int value = 0; value < whole.valueCount(); value++) {
            int standIn = context.replacements()[value];
            assertTrue(standIn <= value, where);
            assertEquals(standIn, context.replacements()[standIn], where);
            assertEquals(whole.type(value), whole.type(standIn), where);
        }
    }

    private void results() {
        Structure structure = whole.structure();
        for (int result = 0; result < structure.resultCount(); result++) {
            int value = structure.inputCount() + result;
            assertTrue(
                    !structure.isKept(result) || known.get(context.replacements()[value]),
                    () -> where + ": %" + value + " is kept, and nothing computes it");
        }
    }

    private void refusing() {
        whole.instructions().stream().filter(MayFault::is).forEach(instruction -> {
            assertTrue(known.get(instruction.result(0)), () -> where + ": its fault would be lost: " + instruction);
            assertEquals(instruction.result(0), context.replacements()[instruction.result(0)], where);
        });
    }
}

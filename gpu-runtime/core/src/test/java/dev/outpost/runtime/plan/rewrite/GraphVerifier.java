package dev.outpost.runtime.plan.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import java.util.BitSet;

/** The properties of a graph after each rewrite. */
final class GraphVerifier {
    private final Graph whole;
    private final RewriteContext draft;
    private final String where;
    private final BitSet known = new BitSet();

    private GraphVerifier(Graph whole, RewriteContext draft, String where) {
        this.whole = whole;
        this.draft = draft;
        this.where = where;
    }

    static void verify(Graph whole, RewriteContext draft, String where) {
        new GraphVerifier(whole, draft, where).verify();
    }

    private void verify() {
        known.set(0, whole.structure().inputCount());
        int last = -1;
        for (Instruction instruction : draft.graph().instructions()) {
            assertTrue(instruction.index() > last, () -> where + ": out of order: " + instruction);
            last = instruction.index();
            instruction(instruction);
        }
        standIns();
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
            assertEquals(draft.standIns()[recorded.operand(position)], value, where);
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            known.set(instruction.result(position));
        }
    }

    /** Earlier values of the same type, and none that another stands for itself. */
    private void standIns() {
        for (int value = 0; value < whole.valueCount(); value++) {
            int standIn = draft.standIns()[value];
            assertTrue(standIn <= value, where);
            assertEquals(standIn, draft.standIns()[standIn], where);
            assertEquals(whole.type(value), whole.type(standIn), where);
        }
    }

    private void results() {
        Structure structure = whole.structure();
        for (int result = 0; result < structure.resultCount(); result++) {
            int value = structure.inputCount() + result;
            assertTrue(
                    !structure.isKept(result) || known.get(draft.standIns()[value]),
                    () -> where + ": %" + value + " is kept, and nothing computes it");
        }
    }

    private void refusing() {
        whole.instructions().stream().filter(MayFault::is).forEach(instruction -> {
            assertTrue(known.get(instruction.result(0)), () -> where + ": its fault would be lost: " + instruction);
            assertEquals(instruction.result(0), draft.standIns()[instruction.result(0)], where);
        });
    }
}

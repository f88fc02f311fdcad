package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Instructions that are to run at once. */
final class FusionGroup {
    /** The most instructions that one generated loop can hold without being a method that the JIT would not touch. */
    private static final int MAX_INSTRUCTIONS = 128;

    private static final int MAX_OPERANDS = 24;

    /** In the order of the program. */
    final List<Instruction> members = new ArrayList<>();
    /** The values that its members read from elsewhere, numbers in the instructions included. */
    final Set<Object> operands = new HashSet<>();
    /** Of elementwise instructions: what all results have. Otherwise null. */
    Shape shape;
    /** Of instructions that go row by row. Otherwise null. */
    RowMatrix rowMatrix;

    /** Values of one number a column, or of all: they are known when the last row is done, too late for the group itself. */
    final Set<Integer> footers = new HashSet<>();

    boolean isGone() {
        return members.isEmpty();
    }

    int last() {
        return members.getLast().index();
    }

    boolean usesAny(Set<Integer> values) {
        return members.stream().anyMatch(member -> usesAny(member, values));
    }

    static boolean usesAny(Instruction instruction, Set<Integer> values) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (values.contains(instruction.operand(position))) {
                return true;
            }
        }
        return false;
    }

    boolean hasRoomFor(int instructions, int more) {
        return members.size() + instructions <= MAX_INSTRUCTIONS && operands.size() + more <= MAX_OPERANDS;
    }
}

package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Instructions that are fused into one kernel. */
final class FusionGroup {
    /** The maximum number of instructions of one generated loop. The JIT does not compile larger methods. */
    private static final int MAX_INSTRUCTIONS = 128;

    private static final int MAX_OPERANDS = 24;

    /** The instructions of the group, in the order of the program. */
    final List<Instruction> members = new ArrayList<>();
    /** The values that its members read from outside, including immediate numbers. */
    final Set<Object> operands = new HashSet<>();
    /** The shape of all results if the members are elementwise; otherwise null. */
    Shape shape;
    /** The matrix if the members are computed row by row; otherwise null. */
    RowMatrix rowMatrix;

    /**
     * The results with one number for each column or for the whole matrix. They are complete after the last row, so
     * instructions of the group cannot use them.
     */
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

package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The computation of one kernel.
 *
 * @param instructions the instructions; each comes after the instructions whose results it uses
 * @param rowMatrix the matrix if the instructions are computed row by row; otherwise null
 */
record KernelBody(List<Instruction> instructions, RowMatrix rowMatrix) {
    static KernelBody single(Instruction instruction) {
        return new KernelBody(List.of(instruction), null);
    }

    boolean isSingle() {
        return instructions.size() == 1;
    }

    /**
     * Returns a group's kernel, followed by the views that only other groups use, because separate views need no
     * kernel.
     */
    static Collection<KernelBody> of(FusionGroup group) {
        List<Instruction> together = new ArrayList<>();
        List<KernelBody> batches = new ArrayList<>();
        Set<Integer> used = new HashSet<>();
        for (Instruction instruction : group.members.reversed()) {
            if (instruction.op() instanceof AsStrided && !used.contains(instruction.result(0))) {
                batches.addFirst(single(instruction));
                continue;
            }
            together.addFirst(instruction);
            for (int position = 0; position < instruction.operandCount(); position++) {
                used.add(instruction.operand(position));
            }
        }
        if (!together.isEmpty()) {
            batches.addFirst(new KernelBody(together, group.rowMatrix));
        }
        return batches;
    }
}

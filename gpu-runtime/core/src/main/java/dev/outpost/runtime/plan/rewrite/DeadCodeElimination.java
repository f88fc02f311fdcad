package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import java.util.BitSet;

/** Removes instructions whose results are neither kept nor used, such as an unused {@code y = exp(x)}. */
final class DeadCodeElimination implements Rewrite {
    @Override
    public void apply(RewriteContext context) {
        BitSet needed = kept(context);
        context.dropBackwards(instruction -> {
            boolean isDead = !MayFault.is(instruction) && !isAnyNeeded(instruction, needed);
            if (!isDead) {
                need(instruction, needed);
            }
            return isDead;
        });
    }

    private static BitSet kept(RewriteContext context) {
        Structure structure = context.whole().structure();
        BitSet kept = new BitSet();
        for (int result = 0; result < structure.resultCount(); result++) {
            if (structure.isKept(result)) {
                kept.set(context.replacements()[structure.inputCount() + result]);
            }
        }
        return kept;
    }

    private static boolean isAnyNeeded(Instruction instruction, BitSet needed) {
        int first = needed.nextSetBit(instruction.result(0));
        return first >= 0 && first < instruction.result(0) + instruction.resultCount();
    }

    private static void need(Instruction instruction, BitSet needed) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (instruction.operand(position) != Instruction.IMMEDIATE) {
                needed.set(instruction.operand(position));
            }
        }
    }
}

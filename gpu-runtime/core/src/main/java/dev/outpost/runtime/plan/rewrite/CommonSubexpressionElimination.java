package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code y = exp(x); z = exp(x)} → {@code y = exp(x); z = y}. If the instructions contain data that could differ, a
 * {@link Guard} requires that the data are equal.
 */
final class CommonSubexpressionElimination implements Rewrite {
    /** The maximum number of elements of a merged value without operands. */
    private static final long MAX_HELD = 16 << 10;

    /** The data that determine the result of an instruction, including the scalars of this run. */
    private record Computation(Op op, List<Object> operands, TensorType result) {
        static Computation of(Instruction instruction) {
            List<Object> operands = new ArrayList<>(instruction.operandCount());
            for (int position = 0; position < instruction.operandCount(); position++) {
                operands.add(operand(instruction, position));
            }
            return new Computation(instruction.op(), operands, instruction.resultType(0));
        }

        private static Object operand(Instruction instruction, int position) {
            int value = instruction.operand(position);
            return value == Instruction.IMMEDIATE ? instruction.immediate(position) : (Object) value;
        }
    }

    @Override
    public void apply(RewriteContext context) {
        Map<Computation, Instruction> known = new HashMap<>();
        context.replace(instruction -> {
            boolean isOpen = context.whole().hasData(instruction) && !hasForcedData(instruction);
            boolean isLeft = MayFault.is(instruction) || isCheap(instruction) || isOpen && !context.mayAssume();
            if (isLeft) {
                return new int[0];
            }
            Instruction earlier = known.putIfAbsent(Computation.of(instruction), instruction);
            if (earlier == null) {
                return new int[0];
            }
            if (isOpen) {
                context.assume(new Guard.EqualData(earlier.index(), instruction.index()));
            }
            return results(earlier);
        });
    }

    /**
     * Returns true for a large value without operands, such as zeros, because it is computed again quickly, and sharing it would hold its
     * memory for longer.
     */
    private static boolean isCheap(Instruction instruction) {
        return instruction.operandCount() == 0
                && instruction.resultType(0).shape().elements() > MAX_HELD;
    }

    /**
     * Returns true if only one offset of the view is possible, because the view reaches from its base's first element
     * to its last.
     */
    private static boolean hasForcedData(Instruction instruction) {
        if (!(instruction.op() instanceof AsStrided view)
                || instruction.resultType(0).shape().isEmpty()) {
            return false;
        }
        Layout layout = view.layout();
        return layout.end() - layout.offset()
                == instruction.operandType(0).shape().elements();
    }

    private static int[] results(Instruction instruction) {
        int[] results = new int[instruction.resultCount()];
        for (int position = 0; position < results.length; position++) {
            results[position] = instruction.result(position);
        }
        return results;
    }
}

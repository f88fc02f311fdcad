package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Removes instructions whose result equals an existing value bit by bit: {@code -(-x)}, {@code relu(relu(x))}, {@code max(x, x)},
 * {@code x.to(float64).to(float32)}, a view of the whole value, and so on become {@code x}. So does {@code x * ones}, which begins a
 * backward pass. A {@link Guard} requires that the fill value is one. Immediate numbers are data that may differ in the next run, so
 * {@code x * 1} stays. {@code x + 0} must stay, because it turns -0 into 0. {@code where(c, x, x)} stays, because its result is lost if
 * {@code c} is lost.
 */
final class AlgebraicSimplification implements Rewrite {
    /** Returned if no existing values equal the instruction's results. */
    private static final int[] NONE = {};

    @Override
    public void apply(RewriteContext context) {
        Instruction[] makers = new Instruction[context.whole().valueCount()];
        context.replace(instruction -> {
            int[] values = sameAs(instruction, makers, context);
            if (values.length == 0) {
                for (int position = 0; position < instruction.resultCount(); position++) {
                    makers[instruction.result(position)] = instruction;
                }
            }
            return values;
        });
    }

    private static int[] sameAs(Instruction instruction, Instruction[] makers, RewriteContext context) {
        if (instruction.operandCount() == 0 || instruction.operand(0) == Instruction.IMMEDIATE) {
            return NONE;
        }
        Instruction maker = makers[instruction.operand(0)];
        return switch (instruction.op()) {
            case Unary unary -> ofUnary(unary, instruction, maker);
            case Cast _ -> ofCast(instruction, maker);
            case Binary binary
            when binary == Binary.MUL && context.mayAssume() -> ofProduct(instruction, makers, context);
            case Binary binary -> ofBinary(binary, instruction);
            case AsStrided view ->
                isOfItsType(instruction, 0) && view.layout().isContiguous() ? operand(instruction, 0) : NONE;
            default -> NONE;
        };
    }

    /**
     * Simplifies a unary op. A copy of a view stays, because the program makes it to separate the elements from a
     * larger value.
     */
    private static int[] ofUnary(Unary op, Instruction instruction, Instruction maker) {
        if (maker == null) {
            return NONE;
        }
        return switch (op) {
            case COPY -> maker.op() instanceof AsStrided ? NONE : operand(instruction, 0);
            case NEG, NOT -> maker.op() == op ? operand(maker, 0) : NONE;
            case ABS, RELU, CEIL, FLOOR, TRUNC, ROUND, SIGN -> maker.op() == op ? operand(instruction, 0) : NONE;
            default -> NONE;
        };
    }

    private static int[] ofCast(Instruction instruction, Instruction maker) {
        if (isOfItsType(instruction, 0)) {
            return operand(instruction, 0);
        }
        boolean isBack = maker != null
                && maker.op() instanceof Cast
                && maker.operandType(0).equals(instruction.resultType(0))
                && holdsAll(maker.resultType(0).dtype(), maker.operandType(0).dtype());
        return isBack ? operand(maker, 0) : NONE;
    }

    /** Returns true if a dtype can represent every number of a narrower dtype. */
    private static boolean holdsAll(DType wide, DType narrow) {
        return switch (narrow) {
            case BOOL -> true;
            case UINT8, INT8 -> wide.bytes() > 1;
            case INT16 -> wide == DType.INT32 || wide == DType.INT64 || wide.isFloating() && wide.bytes() >= 4;
            case INT32 -> wide == DType.INT64 || wide == DType.FLOAT64;
            case FLOAT16, BFLOAT16 -> wide == DType.FLOAT32 || wide == DType.FLOAT64;
            case FLOAT32 -> wide == DType.FLOAT64;
            case INT64, FLOAT64 -> false;
        };
    }

    private static int[] ofBinary(Binary op, Instruction instruction) {
        boolean isOfOne = instruction.operand(0) == instruction.operand(1);
        return switch (op) {
            case MAXIMUM, MINIMUM, AND, OR -> isOfOne ? operand(instruction, 0) : NONE;
            default -> NONE;
        };
    }

    private static int[] ofProduct(Instruction instruction, Instruction[] makers, RewriteContext context) {
        for (int position = 0; position < 2; position++) {
            Instruction other = maker(instruction.operand(1 - position), makers);
            if (isOfItsType(instruction, position)
                    && instruction.operand(position) != Instruction.IMMEDIATE
                    && other != null
                    && other.op() instanceof Fill fill
                    && Guard.areOnes(fill)) {
                context.assume(new Guard.Ones(other.index()));
                return operand(instruction, position);
            }
        }
        return NONE;
    }

    /**
     * Returns the instruction that computes a value or, for a view, its base. If all elements of that result are equal, the elements of the
     * value are equal too. Returns null if this graph does not compute it.
     */
    private static Instruction maker(int value, Instruction[] makers) {
        Instruction maker = value == Instruction.IMMEDIATE ? null : makers[value];
        while (maker != null && maker.op() instanceof AsStrided) {
            maker = makers[maker.operand(0)];
        }
        return maker;
    }

    private static boolean isOfItsType(Instruction instruction, int position) {
        TensorType result = instruction.resultType(0);
        return instruction.operandType(position).equals(result);
    }

    private static int[] operand(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? NONE : new int[] {value};
    }
}

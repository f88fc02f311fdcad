package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * The computation of a generated loop for one element: scalar steps in SSA form, some of which are stored. The list is flat, so that
 * comparing, hashing and walking take linear time for any depth of the computation.
 *
 * @param steps each refers to earlier steps only
 * @param results the positions of the stored steps, one for each result of the loop
 */
public record Expression(List<Step> steps, List<Integer> results) {
    public Expression {
        steps = List.copyOf(steps);
        results = List.copyOf(results);
    }

    /** Creates an expression that stores its last step. */
    public Expression(List<Step> steps) {
        this(steps, List.of(steps.size() - 1));
    }

    /** Copies the element itself, bit by bit. */
    public static Expression copy(DType dtype) {
        return new Expression(List.of(new Step.Load(0, carrier(dtype))));
    }

    public static Expression cast(DType from, DType to) {
        return from == to ? copy(from) : new Expression(List.of(new Step.Load(0, from), new Step.Convert(0, to)));
    }

    public static Expression unary(Unary op, DType dtype) {
        if (op == Unary.COPY) {
            return copy(dtype);
        }
        DType result = op == Unary.IS_NAN ? DType.BOOL : dtype;
        return new Expression(List.of(new Step.Load(0, dtype), new Step.ApplyUnary(op, 0, result)));
    }

    public static Expression binary(Binary op, DType dtype) {
        DType result = op.isComparison() ? DType.BOOL : dtype;
        return new Expression(
                List.of(new Step.Load(0, dtype), new Step.Load(1, dtype), new Step.ApplyBinary(op, 0, 1, result)));
    }

    /** Operand 0 is the condition. Operands 1 and 2 have the given dtype. */
    public static Expression ternary(Ternary op, DType dtype) {
        DType chosen = switch (op) {
            case WHERE -> carrier(dtype);
        };
        return new Expression(List.of(
                new Step.Load(0, DType.BOOL),
                new Step.Load(1, chosen),
                new Step.Load(2, chosen),
                new Step.ApplyTernary(op, 0, 1, 2, chosen)));
    }

    /** Combines the operands in pairs, then the results in pairs, down to one number. The number of operands is a power of two. */
    public static Expression pairwise(Binary op, DType dtype, int operands) {
        List<Step> steps = new ArrayList<>();
        for (int operand = 0; operand < operands; operand++) {
            steps.add(new Step.Load(operand, dtype));
        }
        for (int pair = 0; pair < operands - 1; pair++) {
            steps.add(new Step.ApplyBinary(op, 2 * pair, 2 * pair + 1, dtype));
        }
        return new Expression(steps);
    }

    /** Operand 0 plus the product of operands 1 and 2. */
    public static Expression multiplyAdd(DType dtype) {
        return new Expression(List.of(
                new Step.Load(0, dtype),
                new Step.Load(1, dtype),
                new Step.Load(2, dtype),
                new Step.ApplyBinary(Binary.MUL, 1, 2, dtype),
                new Step.ApplyBinary(Binary.ADD, 0, 3, dtype)));
    }

    /** Returns true if the expression only copies an element. */
    public boolean isCopy() {
        return steps.size() == 1;
    }

    /** Returns the dtype of a stored result. */
    public DType dtype(int result) {
        return steps.get(results.get(result)).dtype();
    }

    /** Returns the number of arrays that the loop reads. */
    public int operands() {
        return steps.stream()
                .mapToInt(step -> step instanceof Step.Load load ? load.operand() + 1 : 0)
                .max()
                .orElse(0);
    }

    /** Returns the dtype for copies. One loop serves all dtypes that share a Java array type, and it must not change a NaN's payload. */
    private static DType carrier(DType dtype) {
        return switch (dtype) {
            case FLOAT16, BFLOAT16, INT16 -> DType.INT16;
            case INT8, UINT8, BOOL -> DType.INT8;
            case FLOAT32, FLOAT64, INT64, INT32 -> dtype;
        };
    }
}

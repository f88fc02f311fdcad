package dev.outpost.protocol.ir;

import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One instruction of a {@link Graph}. Values of the graph are numbered: inputs first, then results in the order in which they are
 * computed. Two instructions are equal only if they are the same object, so this is not a record.
 */
public final class Instruction {
    /** The operand of an immediate. */
    public static final int IMMEDIATE = -1;

    private static final int MAX_SHOWN = 16;

    private final int index;
    private final Op op;
    private final int[] operands;
    private final Scalar[] immediates;
    private final TensorType[] operandTypes;
    private final TensorType[] resultTypes;
    private final int firstResult;

    Instruction(
            int index,
            Op op,
            int[] operands,
            Scalar[] immediates,
            TensorType[] operandTypes,
            TensorType[] resultTypes,
            int firstResult) {
        this.index = index;
        this.op = op;
        this.operands = operands;
        this.immediates = immediates;
        this.operandTypes = operandTypes;
        this.resultTypes = resultTypes;
        this.firstResult = firstResult;
    }

    /** Returns the same instruction in another graph, over values of the same types in that graph. */
    Instruction at(int place, int[] values, int result) {
        requireAsMany(values);
        return new Instruction(place, op, values, immediates, operandTypes, resultTypes, result);
    }

    /**
     * Returns the same instruction with other data: an op that differs only in its data, and numbers of the same dtypes.
     *
     * @param numbers a number for each operand that is one, otherwise null; not copied
     */
    public Instruction withData(Op changed, Scalar[] numbers) {
        return new Instruction(index, changed, operands, numbers, operandTypes, resultTypes, firstResult);
    }

    /**
     * Returns true if another op over the same operands has results of the same types. Throws the op's {@code OpException} if it
     * refuses the operands.
     */
    public boolean hasTypesOf(Op other) {
        return Arrays.equals(other.infer(operandTypes), resultTypes);
    }

    /** Returns the same instruction with another number of the same dtype as an immediate. */
    public Instruction withImmediate(int position, long bits) {
        Scalar[] changed = immediates.clone();
        changed[position] = new Scalar(immediates[position].dtype(), bits);
        return withData(op, changed);
    }

    /** Returns the same instruction with an op that differs only in its data. */
    public Instruction withOp(Op changed) {
        return withData(changed, immediates);
    }

    /** Its index in the graph. */
    public int index() {
        return index;
    }

    public Op op() {
        return op;
    }

    public int operandCount() {
        return operands.length;
    }

    /** Returns the value that an operand refers to, or {@link #IMMEDIATE}. */
    public int operand(int position) {
        return operands[position];
    }

    /** Returns the same instruction over other values of the same types as its operands. */
    public Instruction over(int... values) {
        requireAsMany(values);
        return Arrays.equals(values, operands)
                ? this
                : new Instruction(index, op, values.clone(), immediates, operandTypes, resultTypes, firstResult);
    }

    private void requireAsMany(int[] values) {
        if (values.length != operands.length) {
            throw new IllegalArgumentException(this + " has " + operands.length + " operands, got " + values.length);
        }
    }

    /** Returns the number of an operand that is {@link #IMMEDIATE}. */
    public Scalar immediate(int position) {
        return immediates[position];
    }

    public TensorType operandType(int position) {
        return operandTypes[position];
    }

    public int resultCount() {
        return resultTypes.length;
    }

    /** Returns the value that a result defines. */
    public int result(int position) {
        return firstResult + position;
    }

    public TensorType resultType(int position) {
        return resultTypes[position];
    }

    /** Op, operand types and result types: {@code matmul(float32[1,64,128], float32[1,128,10]) -> float32[1,64,10]}. */
    @Override
    public String toString() {
        return op.label() + "(" + join(operandTypes) + ") -> " + join(resultTypes);
    }

    private static String join(TensorType[] types) {
        String first =
                Arrays.stream(types).limit(MAX_SHOWN).map(TensorType::toString).collect(Collectors.joining(", "));
        return types.length <= MAX_SHOWN ? first : first + ", and " + (types.length - MAX_SHOWN) + " more";
    }
}

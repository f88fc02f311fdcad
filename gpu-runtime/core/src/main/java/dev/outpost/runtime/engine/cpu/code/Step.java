package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;

/** One scalar instruction of an {@link Expression}. It defines one number, and refers to earlier numbers by position. */
public sealed interface Step {
    /** Returns the dtype of the number. */
    DType dtype();

    /** An element of an operand of the loop. */
    record Load(int operand, DType dtype) implements Step {}

    /** Converts a number to another dtype, like {@code Cast}. */
    record Convert(int value, DType dtype) implements Step {}

    /** Rounds a 16-bit float as if it were stored and read again. */
    record Round(int value, DType dtype) implements Step {}

    record ApplyUnary(Unary op, int value, DType dtype) implements Step {}

    record ApplyBinary(Binary op, int left, int right, DType dtype) implements Step {}

    record ApplyTernary(Ternary op, int first, int second, int third, DType dtype) implements Step {}
}

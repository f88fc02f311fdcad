package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;

/** One scalar instruction of an {@link Expression}: it defines one number and refers to earlier ones by position. */
public sealed interface Step {
    /** The dtype of the number. */
    DType dtype();

    /** An element of an operand of the loop. */
    record Load(int operand, DType dtype) implements Step {}

    /** The same number in another dtype, as {@code Cast} says. */
    record Convert(int value, DType dtype) implements Step {}

    /** A 16-bit float as it would be read again if it were stored: what is computed from it is rounded before. */
    record Round(int value, DType dtype) implements Step {}

    record ApplyUnary(Unary op, int value, DType dtype) implements Step {}

    record ApplyBinary(Binary op, int left, int right, DType dtype) implements Step {}

    record ApplyTernary(Ternary op, int first, int second, int third, DType dtype) implements Step {}
}

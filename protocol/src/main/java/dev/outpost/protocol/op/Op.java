package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * A primitive: the operation of an instruction. The {@code permits} list names all ops; {@link OpTable} lists them by
 * wire code.
 *
 * <p>An op is a plain value: its attributes, never its operands. It has its wire code, the encoding of its attributes (structure or data,
 * see {@link AttributeWriter}) and its rule that derives the results' types from the operands' types. Operands of an elementwise op have
 * one dtype; the client casts before. Results are always fresh and contiguous. Only the result of {@link AsStrided} may share the operand's
 * memory.
 */
public sealed interface Op
        permits Unary,
                Binary,
                Ternary,
                Cast,
                Reduce,
                ArgReduce,
                Cumulative,
                PlacementOp,
                StridedWrite,
                Matmul,
                Convolution,
                MaxPool,
                Attention,
                AttentionGradient,
                PagedAttention,
                QuantizedMatmul,
                QuantizedMatmulInput,
                Factorization,
                Fill,
                Arange,
                Random,
                IndexCheck,
                Gather,
                Scatter,
                IndexSelect,
                IndexWrite,
                Sort,
                Concat,
                Nonzero {

    /** Returns the op's code, name and number of operands. */
    OpSignature signature();

    /** Returns the op's number on the wire, stable for ever. */
    default int code() {
        return signature().code();
    }

    /** Returns the name at the beginning of errors and log messages. */
    default String label() {
        return signature().label();
    }

    /** Returns the number of operands, or {@link #VARIADIC}. */
    default int arity() {
        return signature().arity();
    }

    /** Returns the types of the results. Throws an {@link OpException} that names the mismatch and both values. */
    TensorType[] infer(TensorType... operands);

    default void writeAttributes(AttributeWriter out) {}

    int VARIADIC = -1;

    /** Fails unless an operand has the dtype that the op needs. */
    static void requireDType(Op op, String operand, DType expected, TensorType actual) {
        if (actual.dtype() != expected) {
            throw new OpException(op.label(), DTypeAdvice.expected(operand, expected, actual.dtype()));
        }
    }

    /** Fails unless all operands have one dtype. */
    static void requireSameDType(Op op, TensorType first, TensorType second) {
        if (first.dtype() != second.dtype()) {
            throw new OpException(op.label(), DTypeAdvice.differ(first.dtype(), second.dtype()));
        }
    }

    static TensorType[] one(DType dtype, Shape shape) {
        return new TensorType[] {new TensorType(dtype, shape)};
    }

    /**
     * Returns the operand's own type if dtype and shape are the same, because it has already computed its layout; otherwise a new type.
     */
    static TensorType[] oneLike(TensorType operand, DType dtype, Shape shape) {
        boolean isSame = operand.dtype() == dtype && operand.shape() == shape;
        return isSame ? new TensorType[] {operand} : one(dtype, shape);
    }
}

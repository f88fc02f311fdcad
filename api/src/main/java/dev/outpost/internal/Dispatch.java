package dev.outpost.internal;

import dev.outpost.Tensor;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import java.util.Arrays;
import java.util.List;

/** The interface of the ops to {@link OpRecording}: it returns results as tensors of the machine's factory. */
public final class Dispatch {
    private Dispatch() {}

    /** Applies an op with one result. */
    public static Tensor apply(Op op, Operand... operands) {
        return (Tensor) OpRecording.apply(op, operands);
    }

    /** Applies an op; operands must have the dtypes that the op requires. */
    public static Tensor[] applyAll(Op op, Operand... operands) {
        return tensors(OpRecording.applyAll(op, operands));
    }

    /** Applies an op without operands that has one result. */
    public static Tensor make(TensorDevice device, Op op) {
        return (Tensor) OpRecording.make(device, op);
    }

    /** Applies an elementwise op after promoting to the dtype that PyTorch gives; integers become float where needed. */
    public static Tensor unary(Unary op, Tensor operand) {
        return (Tensor) OpRecording.unary(op, operand);
    }

    /** Like {@link #unary}, but for two operands. */
    public static Tensor binary(Binary op, Operand left, Operand right) {
        return (Tensor) OpRecording.binary(op, left, right);
    }

    /** Returns {@code values} where the condition holds, {@code others} elsewhere, after promotion. */
    public static Tensor where(Tensor condition, Operand values, Operand others) {
        return (Tensor) OpRecording.where(condition, values, others);
    }

    /** Copies states into an array of {@link Tensor}, which is the class of all states. The given array may have any type. */
    public static Tensor[] tensors(TensorState[] states) {
        return Arrays.copyOf(states, states.length, Tensor[].class);
    }

    /** Casts the elements of a list to {@link Tensor}, which a machine's factory creates. */
    public static List<Tensor> tensors(List<? extends TensorState> states) {
        return states.stream().map(Tensor.class::cast).toList();
    }
}

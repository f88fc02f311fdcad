package dev.outpost.internal.vmap;

import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * A primitive that a mapped function applies.
 *
 * @param level of the map
 * @param op as the function applies it to one example
 * @param operands of one example, at least one of which differs from example to example
 */
record MappedCall(BatchLevel level, Op op, Operand[] operands) {

    int count() {
        return operands.length;
    }

    Shape shape(int index) {
        return operands[index].type().shape();
    }

    int rank(int index) {
        return shape(index).rank();
    }

    /** Whether an operand differs from example to example. */
    boolean isMapped(int index) {
        return operands[index] instanceof TensorState tensor && isMapped(level, tensor);
    }

    static boolean isMapped(BatchLevel level, TensorState tensor) {
        BatchedTensor batched = States.cell(tensor).batch();
        return batched != null && batched.level() == level;
    }

    /** An operand that is the same for all examples. */
    TensorState common(int index) {
        return (TensorState) operands[index];
    }

    /** An operand for all examples, {@code [examples, ...]}; one that is the same for all is repeated by a view. */
    TensorState all(int index) {
        return all(level, common(index));
    }

    static <T extends TensorState> T all(BatchLevel level, T tensor) {
        return all(level, tensor, tensor.shape().rank());
    }

    /** An operand of an elementwise op, which broadcasts against those of that rank. */
    Operand aligned(int index, int rank) {
        return isMapped(index) ? all(level, common(index), rank) : operands[index];
    }

    /** The layout of an example's tensor is a layout of each row of what holds all examples. */
    @SuppressWarnings("unchecked")
    private static <T extends TensorState> T all(BatchLevel level, T tensor, int rank) {
        Layout one = States.layout(tensor);
        boolean isMapped = isMapped(level, tensor);
        int added = rank + 1 - one.rank();
        long[] sizes = new long[rank + 1];
        long[] strides = new long[rank + 1];
        Arrays.fill(sizes, 0, added, 1);
        sizes[0] = level.size();
        strides[0] = isMapped ? States.cell(tensor).elements() : 0;
        System.arraycopy(one.shape().toArray(), 0, sizes, added, one.rank());
        System.arraycopy(one.strides(), 0, strides, added, one.rank());
        T storage = isMapped ? (T) States.cell(tensor).batch().physical() : tensor;
        return States.view(storage, Layout.of(Shape.of(sizes), strides, one.offset()));
    }
}

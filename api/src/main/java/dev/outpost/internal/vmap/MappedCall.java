package dev.outpost.internal.vmap;

import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * A call of a primitive by a mapped function.
 *
 * @param level the map
 * @param op the op for one example
 * @param operands the operands for one example, at least one of which differs between examples
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

    /** True if an operand differs between examples. */
    boolean isMapped(int index) {
        return operands[index] instanceof TensorState tensor && isMapped(level, tensor);
    }

    static boolean isMapped(BatchLevel level, TensorState tensor) {
        BatchedTensor batched = States.cell(tensor).batch();
        return batched != null && batched.level() == level;
    }

    /** Returns an operand that is the same for all examples. */
    TensorState common(int index) {
        return (TensorState) operands[index];
    }

    /** Returns an operand for all examples, {@code [examples, ...]}. An operand that is the same for all is repeated by a view. */
    TensorState all(int index) {
        return all(level, common(index));
    }

    static <T extends TensorState> T all(BatchLevel level, T tensor) {
        return all(level, tensor, tensor.shape().rank());
    }

    /** Returns an operand of an elementwise op, with dimensions added so that it broadcasts with operands of the given rank. */
    Operand aligned(int index, int rank) {
        return isMapped(index) ? all(level, common(index), rank) : operands[index];
    }

    /** Returns the view of all examples: the layout of one example applies to each row. */
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

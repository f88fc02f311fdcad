package dev.outpost.ops;

import dev.outpost.Index;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.ops.IndexText;
import dev.outpost.internal.ops.Indexed;
import dev.outpost.internal.ops.Indexing;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;

/**
 * Ops that choose elements by index tensors and masks. The machine checks the bounds of indices, so a read of the result throws if one
 * is out of bounds. Ops whose result size is the number of true elements in a mask wait for this number.
 */
public interface IndexOps extends ScatterOps, OrderOps {
    @Override
    Tensor self();

    /**
     * Indexes as Python's brackets do. Integers, slices, ellipsis and new axes give a view. Index tensors and masks (bool, or
     * uint8) give a copy. Their dimensions are placed as in PyTorch: at their position if they are adjacent, else in front.
     *
     * <p>If every index tensor is a single integer without dimensions, the result is a view, and this method waits for the
     * integers; {@link #indexSelect} does not wait. A traced program cannot wait, so there the result is a copy that refuses
     * writes.
     *
     * {@snippet file="OpExamplesTest.java" region="get"}
     *
     * @throws OpException if there are more indices than dimensions, or a Java number is outside of its dimension
     */
    default Tensor get(Index... indices) {
        return Scope.tidy(() -> Indexed.of("get", self(), indices).read());
    }

    /**
     * Returns a view that a text in the form of Python's brackets describes: integers, slices, {@code ...} and {@code
     * None}, as in {@code x.get("..., 1:, ::2")}.
     */
    default Tensor get(String indices) {
        return get(IndexText.parse(indices));
    }

    /** Assigns {@code self[indices] = value}, in place. The value is broadcast and cast to this dtype. */
    default Tensor set(Tensor value, Index... indices) {
        Indexed.of("set", self(), indices).assign(value);
        return self();
    }

    /** Like {@link #set(Tensor, Index...)}, but with a text in the form of {@link #get(String)}. */
    default Tensor set(Tensor value, String indices) {
        return set(value, IndexText.parse(indices));
    }

    /** Like {@link #set(Number, Index...)}, but with a text in the form of {@link #get(String)}. */
    default Tensor set(Number value, String indices) {
        return set(value, IndexText.parse(indices));
    }

    /**
     * Writes a number to the elements that the indices choose, in place: {@code self[indices] = value}. Returns this tensor.
     *
     * {@snippet file="OpExamplesTest.java" region="set"}
     *
     * @throws OpException if the dtype cannot hold the number
     */
    default Tensor set(Number value, Index... indices) {
        return set(Indexing.scalar("set", self(), value), indices);
    }

    /**
     * Picks one element for each index: {@code out[i][j] = self[index[i][j]][j]} for dimension 0. The result has the shape of the
     * index (int64). In all other dimensions, the index must not be larger than self. An index outside of the dimension is a fault
     * that the next read throws.
     *
     * {@snippet file="OpExamplesTest.java" region="gather"}
     *
     * @throws OpException if the ranks differ, or the index is not of integers
     */
    default Tensor gather(int dim, Tensor index) {
        return Scope.tidy(() -> Indexing.gather(self(), dim, index));
    }

    /** Like {@link #gather}, but with broadcasting in all other dimensions. */
    default Tensor takeAlongDim(Tensor indices, int dim) {
        return Indexing.takeAlongDim(self(), indices, dim);
    }

    /** Like {@link #take}, but with an index of any shape. The result is a vector. */
    default Tensor takeAlongDim(Tensor indices) {
        return self().flatten().gather(0, indices.flatten());
    }

    /**
     * Returns the slices of a dimension that a one-dimensional index of integers names, in its order, as a copy. An index outside
     * of the dimension is a fault that the next read throws.
     *
     * {@snippet file="OpExamplesTest.java" region="indexSelect"}
     *
     * @throws OpException if the index is not a vector of integers
     */
    default Tensor indexSelect(int dim, Tensor index) {
        return Scope.tidy(() -> Indexing.select(self(), dim, index));
    }

    /**
     * Returns elements by their index in the flattened tensor, in the shape of the index. Negative indices count from
     * the back.
     */
    default Tensor take(Tensor index) {
        return Scope.tidy(() -> {
            Tensor checked = Indexing.checked("take", index, self().numel());
            return Dispatch.apply(new IndexSelect(0), self().flatten(), checked.flatten())
                    .view(index.shape());
        });
    }

    /**
     * Returns the elements where a mask is true, as a vector in row-major order. The mask is broadcast. Waits until the machine has counted
     * the elements.
     *
     * {@snippet file="OpExamplesTest.java" region="maskedSelect"}
     *
     * @throws OpException if the mask is not bool
     */
    default Tensor maskedSelect(Tensor mask) {
        return Scope.tidy(() -> Indexing.maskedSelect(self(), mask));
    }

    /**
     * Returns the indices of the elements that are not 0, {@code [count, rank]} of int64. Waits until the machine has counted them.
     *
     * {@snippet file="OpExamplesTest.java" region="nonzero"}
     */
    default Tensor nonzero() {
        return Scope.tidy(() -> Indexing.nonzero(self().dtype() == DType.BOOL ? self() : self().ne(0)));
    }

    /**
     * Like {@link #nonzero}, but with one index tensor for each dimension. A scalar counts as a vector of one
     * element.
     */
    default List<Tensor> nonzeroAsTuple() {
        return Scope.tidy(() -> Tensors.atleast1d(self()).nonzero().unbind(1), columns -> columns);
    }

    /** Same as {@link #nonzero}. */
    default Tensor argwhere() {
        return nonzero();
    }
}

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
import java.util.List;

/**
 * Elements chosen by index tensors and masks. An index that is out of bounds is found on the machine and comes home
 * when the result is looked at. What has as many results as a mask has true elements waits for their number.
 */
public interface IndexOps extends ScatterOps, OrderOps {
    @Override
    Tensor self();

    /**
     * Indexing as between Python's brackets. Integers, slices, ellipsis and new axes give a view; index tensors and
     * masks (bool, or uint8) give a copy and are placed as PyTorch places them: where they stand if they stand
     * together, else in front. Where every index tensor is a single integer, without dimensions, the result is a view,
     * and this waits for the integers; {@link #indexSelect} takes one without waiting. A program cannot wait: there it
     * is a copy that refuses writes.
     */
    default Tensor get(Index... indices) {
        return Scope.tidy(() -> Indexed.of("get", self(), indices).read());
    }

    /**
     * Indexing as between Python's brackets, from a text: integers, slices, {@code ...} and {@code None}, as in {@code
     * x.get("..., 1:, ::2")}. A view.
     */
    default Tensor get(String indices) {
        return get(IndexText.parse(indices));
    }

    /** {@code self[indices] = value}, in place: the value broadcasts and takes this dtype. */
    default Tensor set(Tensor value, Index... indices) {
        Indexed.of("set", self(), indices).assign(value);
        return self();
    }

    /** As {@link #set(Tensor, Index...)}, by a text as {@link #get(String)} takes it. */
    default Tensor set(Tensor value, String indices) {
        return set(value, IndexText.parse(indices));
    }

    /** As {@link #set(Number, Index...)}, by a text as {@link #get(String)} takes it. */
    default Tensor set(Number value, String indices) {
        return set(value, IndexText.parse(indices));
    }

    /** {@code self[indices] = value}, in place. */
    default Tensor set(Number value, Index... indices) {
        return set(Indexing.scalar("set", self(), value), indices);
    }

    /** {@code out[i][j] = self[index[i][j]][j]} for dimension 0; the index is nowhere larger elsewhere. */
    default Tensor gather(int dim, Tensor index) {
        return Scope.tidy(() -> Indexing.gather(self(), dim, index));
    }

    /** As {@link #gather}, with all dimensions but one broadcast. */
    default Tensor takeAlongDim(Tensor indices, int dim) {
        return Indexing.takeAlongDim(self(), indices, dim);
    }

    /** As {@link #take}, with an index of any shape, which the result gets as a vector. */
    default Tensor takeAlongDim(Tensor indices) {
        return self().flatten().gather(0, indices.flatten());
    }

    /** Slices of a dimension, in the order of a one-dimensional index. */
    default Tensor indexSelect(int dim, Tensor index) {
        return Scope.tidy(() -> Indexing.select(self(), dim, index));
    }

    /** Elements by their index in the flattened tensor, in the index's shape; negative ones count from the back. */
    default Tensor take(Tensor index) {
        return Scope.tidy(() -> {
            Tensor checked = Indexing.checked("take", index, self().numel());
            return Dispatch.apply(new IndexSelect(0), self().flatten(), checked.flatten())
                    .view(index.shape());
        });
    }

    /** The elements where a mask, which broadcasts, is true, in one dimension. Waits for their number. */
    default Tensor maskedSelect(Tensor mask) {
        return Scope.tidy(() -> Indexing.maskedSelect(self(), mask));
    }

    /** The indices of the elements that are not 0, {@code [count, rank]} of int64. Waits for their number. */
    default Tensor nonzero() {
        return Scope.tidy(() -> Indexing.nonzero(self().dtype() == DType.BOOL ? self() : self().ne(0)));
    }

    /** As {@link #nonzero}, one index tensor for each dimension; a scalar counts as a line of one element. */
    default List<Tensor> nonzeroAsTuple() {
        return Scope.tidy(() -> Tensors.atleast1d(self()).nonzero().unbind(1), columns -> columns);
    }

    /** As {@link #nonzero}. */
    default Tensor argwhere() {
        return nonzero();
    }
}

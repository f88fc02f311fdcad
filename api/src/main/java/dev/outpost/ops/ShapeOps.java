package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Ops that change the shape or the order of dimensions. Their results are views, which cost nothing and share storage with this tensor.
 * Only {@link #reshape} and {@link #flatten} copy, if strides cannot express the result.
 */
public interface ShapeOps {
    Tensor self();

    /**
     * Returns this tensor in another shape. The result shares the storage.
     *
     * {@snippet file="OpExamplesTest.java" region="view"}
     *
     * @param sizes the new sizes; one may be -1, and then follows from the others
     * @throws OpException if the number of elements differs, or if only a copy can have this shape
     */
    default Tensor view(long... sizes) {
        return view(Shapes.infer("view", self().shape(), sizes));
    }

    /** Same as {@link #view(long...)}. */
    default Tensor view(Shape shape) {
        Layout layout = Shapes.viewAs("view", States.layout(self()), shape);
        if (layout == null) {
            throw new OpException(
                    "view",
                    "the layout " + States.layout(self()) + " cannot be seen as " + shape
                            + " without a copy, use reshape");
        }
        return States.view(self(), layout);
    }

    /** Returns this tensor in the shape of another tensor. */
    default Tensor viewAs(Tensor other) {
        return view(other.shape());
    }

    /**
     * Like {@link #view(long...)}, but copies if a view is impossible.
     *
     * {@snippet file="OpExamplesTest.java" region="reshape"}
     *
     * @throws OpException if the number of elements differs
     */
    default Tensor reshape(long... sizes) {
        return reshape(Shapes.infer("reshape", self().shape(), sizes));
    }

    /** Same as {@link #reshape(long...)}. */
    default Tensor reshape(Shape shape) {
        Layout layout = Shapes.viewAs("reshape", States.layout(self()), shape);
        return layout != null ? States.view(self(), layout) : States.view(self().clone(), Layout.contiguous(shape));
    }

    /** Returns this tensor in the shape of another tensor; copies if a view is impossible. */
    default Tensor reshapeAs(Tensor other) {
        return reshape(other.shape());
    }

    /** Returns all elements as a vector. */
    default Tensor flatten() {
        return reshape(self().numel());
    }

    /** Returns all elements as a vector. */
    default Tensor ravel() {
        return flatten();
    }

    /**
     * Merges the dimensions from {@code startDim} on into one. Copies only if strides cannot express the result.
     *
     * {@snippet file="OpExamplesTest.java" region="flatten"}
     */
    default Tensor flatten(int startDim) {
        return flatten(startDim, -1);
    }

    /** Merges the dimensions from {@code startDim} to {@code endDim}, both included, into one. */
    default Tensor flatten(int startDim, int endDim) {
        return reshape(Shapes.flatten(self().shape(), startDim, endDim));
    }

    /** Splits one dimension into several; one size may be -1. */
    default Tensor unflatten(int dim, long... sizes) {
        return view(Shapes.unflatten(self().shape(), dim, sizes));
    }

    /**
     * Reorders the dimensions: dimension i of the result is dimension {@code dims[i]} of this tensor. Returns a view.
     *
     * {@snippet file="OpExamplesTest.java" region="permute"}
     *
     * @throws OpException unless each dimension is named once
     */
    default Tensor permute(int... dims) {
        return States.view(self(), States.layout(self()).permute(Shapes.permutation("permute", self().dim(), dims)));
    }

    /**
     * Swaps two dimensions. Returns a view.
     *
     * {@snippet file="OpExamplesTest.java" region="transpose"}
     *
     * @throws OpException if a dimension does not exist
     */
    default Tensor transpose(int first, int second) {
        int a = self().shape().normalizeDim("transpose", first);
        int b = self().shape().normalizeDim("transpose", second);
        Layout layout = States.layout(self());
        return States.view(self(), self().dim() == 0 ? layout : layout.transpose(a, b));
    }

    /** Same as {@link #transpose}. */
    default Tensor swapaxes(int first, int second) {
        return transpose(first, second);
    }

    /** Same as {@link #transpose}. */
    default Tensor swapdims(int first, int second) {
        return transpose(first, second);
    }

    /** Swaps the rows and columns of a matrix. A vector or a scalar is unchanged. */
    default Tensor t() {
        if (self().dim() > 2) {
            throw new OpException("t", "at most two dimensions are expected, got " + self().shape());
        }
        return self().dim() < 2 ? States.view(self(), States.layout(self())) : transpose(0, 1);
    }

    /** Reverses the order of all dimensions. */
    default Tensor T() {
        int rank = self().dim();
        int[] reversed = new int[rank];
        Arrays.setAll(reversed, dim -> rank - 1 - dim);
        return permute(reversed);
    }

    /** Swaps the rows and columns of a batch of matrices. */
    default Tensor mT() {
        if (self().dim() < 2) {
            throw new OpException("mT", "at least two dimensions are needed, got " + self().shape());
        }
        return transpose(-2, -1);
    }

    /** Same as {@link #mT()}, because a {@link Tensor} is never complex. */
    default Tensor mH() {
        return mT();
    }

    /** Same as {@link #t()} for a matrix, because a {@link Tensor} is never complex. */
    default Tensor H() {
        if (self().dim() != 0 && self().dim() != 2) {
            throw new OpException("H", "a matrix is expected, got " + self().shape());
        }
        return t();
    }

    /** Moves one dimension to another position. The others keep their order. */
    default Tensor movedim(int source, int destination) {
        return movedim(new int[] {source}, new int[] {destination});
    }

    /** Moves several dimensions to other positions. The others keep their order. */
    default Tensor movedim(int[] sources, int[] destinations) {
        return States.view(self(), States.layout(self()).permute(Shapes.moved(self().dim(), sources, destinations)));
    }

    /**
     * Removes all dimensions of size 1. Returns a view.
     *
     * {@snippet file="OpExamplesTest.java" region="squeeze"}
     */
    default Tensor squeeze() {
        Layout layout = States.layout(self());
        for (int dim = layout.rank() - 1; dim >= 0; dim--) {
            layout = layout.squeeze(dim);
        }
        return States.view(self(), layout);
    }

    /** Removes the given dimensions if they have size 1. */
    default Tensor squeeze(int... dims) {
        return States.view(self(), Shapes.squeeze(States.layout(self()), dims));
    }

    /**
     * Inserts a dimension of size 1 before dimension {@code dim}. -1 appends it. Returns a view.
     *
     * {@snippet file="OpExamplesTest.java" region="unsqueeze"}
     *
     * @throws OpException unless the dimension is in [-rank - 1, rank]
     */
    default Tensor unsqueeze(int dim) {
        return States.view(
                self(), States.layout(self()).unsqueeze(Shape.normalizeDim("unsqueeze", dim, self().dim() + 1)));
    }

    /**
     * Repeats dimensions of size 1 and adds new ones in front, without a copy. A size of -1 keeps a dimension's size.
     *
     * {@snippet file="OpExamplesTest.java" region="expand"}
     *
     * @throws OpException if a dimension of another size than 1 would change
     */
    default Tensor expand(long... sizes) {
        return expand(Shapes.expanded(self().shape(), sizes));
    }

    /** Same as {@link #expand(long...)}. */
    default Tensor expand(Shape shape) {
        return States.view(self(), States.layout(self()).expand(ArgumentChecks.required(shape, "the shape")));
    }

    /** Like {@link #expand(long...)}, but to the shape of another tensor. */
    default Tensor expandAs(Tensor other) {
        return expand(other.shape());
    }

    /** Same as {@link #expand(long...)}. */
    default Tensor broadcastTo(long... sizes) {
        return expand(sizes);
    }
}

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
 * The same elements under another shape or in another order of dimensions. All are views, which cost nothing and share
 * storage with this tensor, except {@link #reshape} and {@link #flatten} where no strides can say what is asked.
 */
public interface ShapeOps {
    Tensor self();

    /**
     * This tensor under another shape.
     *
     * @param sizes the new sizes; one may be -1 and follows from the others
     * @throws OpException if the elements do not fit, or lie so that only a copy could have that shape
     */
    default Tensor view(long... sizes) {
        return view(Shapes.infer("view", self().shape(), sizes));
    }

    /** As {@link #view(long...)}. */
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

    /** This tensor under the shape of another. */
    default Tensor viewAs(Tensor other) {
        return view(other.shape());
    }

    /** As {@link #view(long...)}, but copies where a view cannot be. */
    default Tensor reshape(long... sizes) {
        return reshape(Shapes.infer("reshape", self().shape(), sizes));
    }

    /** As {@link #reshape(long...)}. */
    default Tensor reshape(Shape shape) {
        Layout layout = Shapes.viewAs("reshape", States.layout(self()), shape);
        return layout != null ? States.view(self(), layout) : States.view(self().clone(), Layout.contiguous(shape));
    }

    /** This tensor, copied if need be, under the shape of another. */
    default Tensor reshapeAs(Tensor other) {
        return reshape(other.shape());
    }

    /** All elements in one dimension. */
    default Tensor flatten() {
        return reshape(self().numel());
    }

    /** All elements in one dimension. */
    default Tensor ravel() {
        return flatten();
    }

    /** The dimensions from {@code startDim} on as one. */
    default Tensor flatten(int startDim) {
        return flatten(startDim, -1);
    }

    /** The dimensions from {@code startDim} to {@code endDim}, both included, as one. */
    default Tensor flatten(int startDim, int endDim) {
        return reshape(Shapes.flatten(self().shape(), startDim, endDim));
    }

    /** One dimension as several; one size may be -1. */
    default Tensor unflatten(int dim, long... sizes) {
        return view(Shapes.unflatten(self().shape(), dim, sizes));
    }

    /** The dimensions in another order; each is named once. */
    default Tensor permute(int... dims) {
        return States.view(self(), States.layout(self()).permute(Shapes.permutation("permute", self().dim(), dims)));
    }

    /** Two dimensions swapped. */
    default Tensor transpose(int first, int second) {
        int a = self().shape().normalizeDim("transpose", first);
        int b = self().shape().normalizeDim("transpose", second);
        Layout layout = States.layout(self());
        return States.view(self(), self().dim() == 0 ? layout : layout.transpose(a, b));
    }

    /** As {@link #transpose}. */
    default Tensor swapaxes(int first, int second) {
        return transpose(first, second);
    }

    /** As {@link #transpose}. */
    default Tensor swapdims(int first, int second) {
        return transpose(first, second);
    }

    /** A matrix with rows and columns swapped; a vector or a scalar as it is. */
    default Tensor t() {
        if (self().dim() > 2) {
            throw new OpException("t", "at most two dimensions are expected, got " + self().shape());
        }
        return self().dim() < 2 ? States.view(self(), States.layout(self())) : transpose(0, 1);
    }

    /** All dimensions in reverse order. */
    default Tensor T() {
        int rank = self().dim();
        int[] reversed = new int[rank];
        Arrays.setAll(reversed, dim -> rank - 1 - dim);
        return permute(reversed);
    }

    /** A batch of matrices with rows and columns swapped. */
    default Tensor mT() {
        if (self().dim() < 2) {
            throw new OpException("mT", "at least two dimensions are needed, got " + self().shape());
        }
        return transpose(-2, -1);
    }

    /** As {@link #mT()}: there are no complex tensors here. */
    default Tensor mH() {
        return mT();
    }

    /** As {@link #t()}, of a matrix: there are no complex tensors here. */
    default Tensor H() {
        if (self().dim() != 0 && self().dim() != 2) {
            throw new OpException("H", "a matrix is expected, got " + self().shape());
        }
        return t();
    }

    /** One dimension moved to another place, the others in their order. */
    default Tensor movedim(int source, int destination) {
        return movedim(new int[] {source}, new int[] {destination});
    }

    /** Several dimensions moved to other places, the others in their order. */
    default Tensor movedim(int[] sources, int[] destinations) {
        return States.view(self(), States.layout(self()).permute(Shapes.moved(self().dim(), sources, destinations)));
    }

    /** Without the dimensions of size 1. */
    default Tensor squeeze() {
        Layout layout = States.layout(self());
        for (int dim = layout.rank() - 1; dim >= 0; dim--) {
            layout = layout.squeeze(dim);
        }
        return States.view(self(), layout);
    }

    /** Without those of these dimensions that have size 1. */
    default Tensor squeeze(int... dims) {
        return States.view(self(), Shapes.squeeze(States.layout(self()), dims));
    }

    /** With a new dimension of size 1. */
    default Tensor unsqueeze(int dim) {
        return States.view(
                self(), States.layout(self()).unsqueeze(Shape.normalizeDim("unsqueeze", dim, self().dim() + 1)));
    }

    /** With dimensions of size 1 repeated, and new ones in front; -1 leaves a size as it is. Nothing is copied. */
    default Tensor expand(long... sizes) {
        return expand(Shapes.expanded(self().shape(), sizes));
    }

    /** As {@link #expand(long...)}. */
    default Tensor expand(Shape shape) {
        return States.view(self(), States.layout(self()).expand(ArgumentChecks.required(shape, "the shape")));
    }

    /** As {@link #expand(long...)}, to the shape of another tensor. */
    default Tensor expandAs(Tensor other) {
        return expand(other.shape());
    }

    /** As {@link #expand(long...)}. */
    default Tensor broadcastTo(long... sizes) {
        return expand(sizes);
    }
}

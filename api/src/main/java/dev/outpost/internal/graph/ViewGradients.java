package dev.outpost.internal.graph;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.ops.Positions;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Computes the gradients of views. */
final class ViewGradients {
    private ViewGradients() {}

    /** Computes the gradient of the variable from the gradient of a view. */
    static TensorState backward(ViewNode node, TensorState gradient) {
        return seen(node, inStorage(node, summed(node, gradient)));
    }

    /** Converts the arriving gradient of a view into the gradient of a view that it was made from. */
    static TensorState backwardTo(ViewNode node, ViewNode ancestor, TensorState gradient) {
        return States.view(inStorage(node, summed(node, gradient)), ancestor.view);
    }

    /** Returns the layout of the view without repetitions. */
    static Layout distinct(ViewNode node) {
        Layout distinct = node.view;
        for (int dim = 0; dim < node.view.rank(); dim++) {
            if (isRepeated(node, dim)) {
                distinct = distinct.slice(dim, 0, 1, 1);
            }
        }
        return distinct;
    }

    private static boolean isRepeated(ViewNode node, int dim) {
        return node.view.stride(dim) == 0 && node.view.shape().size(dim) > 1;
    }

    /** Sums the arriving gradient over repeated elements. */
    private static TensorState summed(ViewNode node, TensorState gradient) {
        TensorState summed = gradient;
        for (int dim = 0; dim < node.view.rank(); dim++) {
            summed = isRepeated(node, dim)
                    ? OpRecording.apply(new Reduce(Reduce.Fn.SUM, Axes.of(dim), true), summed)
                    : summed;
        }
        return summed;
    }

    /**
     * True if a gradient is copied into a storage of zeros, because it covers a part of the storage and no two of its
     * elements share a place.
     */
    static boolean isLaid(ViewNode node) {
        Layout distinct = distinct(node);
        return distinct.isInjective()
                && !distinct.shape().isEmpty()
                && !isWhole(node, distinct.permute(storageOrder(distinct)));
    }

    /** Returns the storage after the gradient's elements were copied to the places of the view's elements. */
    static TensorState laidInto(ViewNode node, TensorState storage, TensorState gradient) {
        return place(storage, summed(node, gradient), distinct(node));
    }

    /** Returns a tensor over a new storage with as many elements as the variable's. */
    private static TensorState inStorage(ViewNode node, TensorState gradient) {
        Layout distinct = distinct(node);
        if (!distinct.isInjective()) {
            return scatterAdd(node, gradient, distinct);
        }
        int[] order = storageOrder(distinct);
        return isWhole(node, distinct.permute(order))
                ? States.ownStorage(StateViews.permute(gradient, order))
                : place(zeros(node, gradient), gradient, distinct);
    }

    /** Returns the storage with the layout of the variable. */
    static TensorState seen(ViewNode node, TensorState storage) {
        return States.view(storage, node.root);
    }

    private static int[] storageOrder(Layout distinct) {
        Integer[] order = new Integer[distinct.rank()];
        Arrays.setAll(order, dim -> dim);
        Arrays.sort(order, (a, b) -> Long.compare(distinct.stride(b), distinct.stride(a)));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    private static boolean isWhole(ViewNode node, Layout inOrder) {
        return inOrder.covers(node.storageElements);
    }

    private static TensorState place(TensorState storage, TensorState gradient, Layout distinct) {
        return OpRecording.apply(new StridedWrite(distinct), storage, gradient);
    }

    private static TensorState scatterAdd(ViewNode node, TensorState gradient, Layout distinct) {
        TensorState flat =
                StateViews.reshape(gradient, Shape.of(gradient.shape().elements()));
        return OpRecording.apply(
                new IndexWrite(Scatter.Fn.ADD, 0),
                zeros(node, gradient),
                Positions.of(States.home(gradient), distinct),
                flat);
    }

    /** Returns a new storage of zeros, with as many elements as the variable's storage. */
    static TensorState zeros(ViewNode node, TensorState like) {
        return OpRecording.make(
                States.home(like), new Fill(Shape.of(node.storageElements), Scalar.of(like.dtype(), 0L)));
    }
}

package dev.outpost;

import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.Shape;
import java.util.Arrays;

/**
 * The node of a view, whatever made it: the gradient is laid into the storage where the view's elements lie, and read
 * from there as the root of the variable lies. One rule serves permute, slice, expand and all the others.
 */
final class ViewNode extends Node {
    private final Layout root;
    private final Layout view;
    private final long storageElements;

    ViewNode(Variable variable, Layout view) {
        super(new Edge[] {variable.edge()});
        this.root = variable.root();
        this.view = view;
        this.storageElements = variable.cell().elements();
    }

    @Override
    int outputs() {
        return 1;
    }

    @Override
    Tensor[] backward(Tensor[] gradients) {
        return new Tensor[] {storageGradient(gradients[0]).view(root)};
    }

    @Override
    String label() {
        return "view " + root.shape() + " -> " + view.shape();
    }

    /** A tensor over storage of its own, as many elements as the variable's. */
    private Tensor storageGradient(Tensor gradient) {
        Layout distinct = view;
        Tensor summed = gradient;
        for (int dim = 0; dim < view.rank(); dim++) {
            if (view.stride(dim) == 0 && view.shape().size(dim) > 1) {
                summed = summed.sum(true, dim);
                distinct = distinct.slice(dim, 0, 1, 1);
            }
        }
        if (!distinct.isInjective()) {
            return scatterAdd(summed, distinct);
        }
        Tensor permuted = inStorageOrder(summed, distinct);
        return permuted != null ? permuted : place(summed, distinct);
    }

    /** If the view is the whole storage in another order of dimensions, so is the gradient; else null. */
    private Tensor inStorageOrder(Tensor gradient, Layout distinct) {
        Integer[] order = new Integer[distinct.rank()];
        Arrays.setAll(order, dim -> dim);
        Arrays.sort(order, (a, b) -> Long.compare(distinct.stride(b), distinct.stride(a)));
        int[] dims = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
        return distinct.permute(dims).covers(storageElements)
                ? gradient.permute(dims).ownStorage()
                : null;
    }

    private Tensor place(Tensor gradient, Layout distinct) {
        Tensor storage = zeros(gradient);
        return Dispatch.apply(new StridedWrite(distinct), storage, gradient);
    }

    private Tensor scatterAdd(Tensor gradient, Layout distinct) {
        Tensor positions = Positions.of(gradient.session(), distinct);
        return Dispatch.apply(
                new IndexWrite(Scatter.Fn.ADD, 0), zeros(gradient), positions, gradient.reshape(gradient.numel()));
    }

    private Tensor zeros(Tensor like) {
        return Creation.full(like.session(), Shape.of(storageElements), like.dtype(), 0);
    }
}

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

    /** A gradient of the elements that a view shows, and where they lie, none twice. */
    record Part(Tensor gradient, Layout layout) {
        /** The storage with the gradient in its place. */
        Tensor laidInto(Tensor storage) {
            return Dispatch.apply(new StridedWrite(layout), storage, gradient);
        }
    }

    @Override
    Tensor[] backward(Tensor[] gradients) {
        return new Tensor[] {seen(inStorage(part(gradients[0])))};
    }

    @Override
    String label() {
        return "view " + root.shape() + " -> " + view.shape();
    }

    /** What arrived, summed up where the view repeats elements. */
    Part part(Tensor gradient) {
        Layout distinct = view;
        Tensor summed = gradient;
        for (int dim = 0; dim < view.rank(); dim++) {
            if (view.stride(dim) == 0 && view.shape().size(dim) > 1) {
                summed = summed.sum(true, dim);
                distinct = distinct.slice(dim, 0, 1, 1);
            }
        }
        return new Part(summed, distinct);
    }

    /** Whether a part is laid into zeros: it is neither the whole storage, nor are its elements added one by one. */
    boolean isLaid(Part part) {
        return part.layout().isInjective()
                && !part.layout().shape().isEmpty()
                && !isWhole(part.layout().permute(storageOrder(part.layout())));
    }

    /** A tensor over storage of its own, as many elements as the variable's. */
    Tensor inStorage(Part part) {
        if (!part.layout().isInjective()) {
            return scatterAdd(part);
        }
        int[] order = storageOrder(part.layout());
        return isWhole(part.layout().permute(order))
                ? part.gradient().permute(order).ownStorage()
                : part.laidInto(zeros(part));
    }

    /** The storage as the variable shows it. */
    Tensor seen(Tensor storage) {
        return storage.view(root);
    }

    private static int[] storageOrder(Layout distinct) {
        Integer[] order = new Integer[distinct.rank()];
        Arrays.setAll(order, dim -> dim);
        Arrays.sort(order, (a, b) -> Long.compare(distinct.stride(b), distinct.stride(a)));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    private boolean isWhole(Layout inOrder) {
        return inOrder.covers(storageElements);
    }

    private Tensor scatterAdd(Part part) {
        Tensor gradient = part.gradient();
        Tensor positions = Positions.of(gradient.session(), part.layout());
        return Dispatch.apply(
                new IndexWrite(Scatter.Fn.ADD, 0), zeros(part), positions, gradient.reshape(gradient.numel()));
    }

    /** Of a storage, as many as the variable's has. */
    Tensor zeros(Part part) {
        Tensor like = part.gradient();
        return Creation.full(like.session(), Shape.of(storageElements), like.dtype(), 0);
    }
}

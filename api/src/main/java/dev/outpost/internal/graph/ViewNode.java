package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Internals;
import dev.outpost.internal.ops.Positions;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * The node of a view, whatever made it: the gradient is laid into the storage where the view's elements lie, and read
 * from there as the root of the variable lies. One rule serves permute, slice, expand and all the others.
 */
public final class ViewNode extends Node {
    private final Layout root;
    private final Layout view;
    private final long storageElements;
    private final ViewNode parent;

    /**
     * @param source the edge that receives the gradient of the variable
     * @param parent the node of the view from which this view was made; null if it was made from the root, or if the view is not known
     */
    public ViewNode(Variable variable, Edge source, Layout view, ViewNode parent) {
        super(new Edge[] {source});
        this.root = variable.root();
        this.view = view;
        this.storageElements = variable.cell().elements();
        this.parent = parent != null && parent.edges()[0].equals(source) ? parent : null;
    }

    /**
     * The view that this one was made of, or null. Gradients go past it, to the root, unless it is asked for its own; it is
     * older than this one.
     */
    public ViewNode parent() {
        return parent;
    }

    /** Whether each element has a place of its own, so that a gradient in the storage says which element it belongs to. */
    public boolean isInjective() {
        return view.isInjective();
    }

    /** The gradient that arrived here, as one of a view that this one was made of. */
    public Tensor backwardTo(ViewNode ancestor, Tensor gradient) {
        return Internals.view(inStorage(summed(gradient)), ancestor.view);
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Tensor[] backward(Tensor[] gradients) {
        return new Tensor[] {seen(inStorage(summed(gradients[0])))};
    }

    @Override
    public String label() {
        return "view " + root.shape() + " -> " + view.shape();
    }

    /** Where the elements lie that the view shows, those that it repeats once. */
    public Layout distinct() {
        Layout distinct = view;
        for (int dim = 0; dim < view.rank(); dim++) {
            if (isRepeated(dim)) {
                distinct = distinct.slice(dim, 0, 1, 1);
            }
        }
        return distinct;
    }

    private boolean isRepeated(int dim) {
        return view.stride(dim) == 0 && view.shape().size(dim) > 1;
    }

    /** The gradient that arrived, of the distinct elements. */
    private Tensor summed(Tensor gradient) {
        Tensor summed = gradient;
        for (int dim = 0; dim < view.rank(); dim++) {
            summed = isRepeated(dim) ? summed.sum(dim, true) : summed;
        }
        return summed;
    }

    /** Whether a gradient is laid into zeros: it is neither the whole storage, nor are its elements added one by one. */
    public boolean isLaid() {
        Layout distinct = distinct();
        return distinct.isInjective()
                && !distinct.shape().isEmpty()
                && !isWhole(distinct.permute(storageOrder(distinct)));
    }

    /** A storage with what arrived in its place. */
    public Tensor laidInto(Tensor storage, Tensor gradient) {
        return place(storage, summed(gradient), distinct());
    }

    /** A tensor over storage of its own, as many elements as the variable's. */
    private Tensor inStorage(Tensor gradient) {
        Layout distinct = distinct();
        if (!distinct.isInjective()) {
            return scatterAdd(gradient, distinct);
        }
        int[] order = storageOrder(distinct);
        return isWhole(distinct.permute(order))
                ? Internals.ownStorage(gradient.permute(order))
                : place(zeros(gradient), gradient, distinct);
    }

    /** The storage as the variable shows it. */
    public Tensor seen(Tensor storage) {
        return Internals.view(storage, root);
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

    private static Tensor place(Tensor storage, Tensor gradient, Layout distinct) {
        return Dispatch.apply(new StridedWrite(distinct), storage, gradient);
    }

    private Tensor scatterAdd(Tensor gradient, Layout distinct) {
        Tensor positions = Positions.of(Internals.home(gradient), distinct);
        return Dispatch.apply(
                new IndexWrite(Scatter.Fn.ADD, 0), zeros(gradient), positions, gradient.reshape(gradient.numel()));
    }

    /** Of a storage, as many as the variable's has. */
    public Tensor zeros(Tensor like) {
        return Creation.full(Internals.home(like), Shape.of(storageElements), like.dtype(), 0);
    }
}

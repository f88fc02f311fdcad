package dev.outpost.internal.graph;

import dev.outpost.types.Layout;

/**
 * The node of a view, whatever made it: the gradient is laid into the storage where the view's elements lie, and read
 * from there as the root of the variable lies. One rule serves permute, slice, expand and all the others: {@link ViewGradients}.
 */
public final class ViewNode extends Node {
    final Layout root;
    final Layout view;
    final long storageElements;
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
    ViewNode parent() {
        return parent;
    }

    /** True if no two elements share a place in the storage. */
    boolean isInjective() {
        return view.isInjective();
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public String label() {
        return "view " + root.shape() + " -> " + view.shape();
    }
}

package dev.outpost.internal.graph;

import dev.outpost.types.Layout;

/**
 * The node of a view. Its gradient is written into a storage with the view's layout, and read with the layout of the
 * variable's root. {@link ViewGradients} has the common rule for permute, slice, expand and all other views.
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
     * Returns the view that this view was created from, or null. It is older than this view. Gradients bypass it and
     * go to the root, unless its own gradient is requested.
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

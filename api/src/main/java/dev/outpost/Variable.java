package dev.outpost;

import dev.outpost.protocol.types.Layout;

/**
 * A cell as autograd sees it: shared by a tensor and its views, apart for what was detached.
 *
 * <p>Invariant: a gradient that arrives at {@link #edge} has the shape of {@link #root}.
 */
final class Variable {
    private final Cell cell;
    private final Layout root;
    private final Scope scope = Scope.current();
    private Edge edge;
    private boolean leaf;
    private Tensor gradient;

    Variable(Cell cell, Layout root) {
        this.cell = cell;
        this.root = root;
    }

    /** Where it was made, and where what belongs to it lives. */
    Scope scope() {
        return scope;
    }

    Cell cell() {
        return cell;
    }

    Layout root() {
        return root;
    }

    boolean requiresGrad() {
        return edge != null;
    }

    /** Whether gradients end here because the user asked for them. */
    boolean isRequiringLeaf() {
        return leaf;
    }

    Edge edge() {
        return edge;
    }

    /** From here on the value comes from an op that autograd recorded. */
    void computedBy(Edge newEdge) {
        edge = newEdge;
        leaf = false;
    }

    /** From here on gradients are accumulated here, or not at all. */
    void requireGrad(boolean required) {
        leaf = required;
        edge = required ? new Edge(new AccumulateNode(this), 0) : null;
    }

    Tensor gradient() {
        return gradient;
    }

    void gradient(Tensor newGradient) {
        gradient = newGradient;
    }
}

package dev.outpost;

import dev.outpost.client.SourceLine;
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
    private final Trace trace = Trace.current();
    private Edge edge;
    private String writeRefusal;
    private boolean leaf;
    private Tensor gradient;

    Variable(Cell cell, Layout root) {
        this.cell = cell;
        this.root = root;
    }

    /** Where it was made or was kept in, and where what belongs to it lives. */
    Scope scope() {
        return scope == null ? null : scope.living();
    }

    Cell cell() {
        return cell;
    }

    Layout root() {
        return root;
    }

    boolean requiresGrad() {
        Trace tracing = Trace.current();
        if (tracing != null && !tracing.owns(this)) {
            tracing.assume(this, () -> edge != null);
        }
        return edge != null;
    }

    /** Whether gradients end here because the user asked for them. */
    boolean isRequiringLeaf() {
        return leaf;
    }

    Edge edge() {
        return edge;
    }

    /** Why it cannot be written in place, or null. */
    String writeRefusal() {
        return writeRefusal;
    }

    void refuseWrites(String reason) {
        writeRefusal = reason;
    }

    /** From here on the value comes from an op that autograd recorded. */
    void computedBy(Edge newEdge) {
        Trace tracing = Trace.current();
        if (tracing != null && !tracing.owns(this) && (newEdge != null || edge != null)) {
            throw Trace.refusal(
                    SourceLine.calledOp(),
                    "gradients do not flow out of a program, so what was made outside cannot take one; write "
                            + cell.label() + " in noGrad, or what is detached");
        }
        edge = newEdge;
        leaf = false;
    }

    /** From here on gradients are accumulated here, or not at all. */
    void requireGrad(boolean required) {
        Trace tracing = Trace.current();
        if (tracing != null && !tracing.owns(this)) {
            throw Trace.refusal(
                    "requires_grad", "a program cannot say so of what was made outside, got " + cell.label());
        }
        leaf = required;
        edge = required ? new Edge(new AccumulateNode(this), 0) : null;
    }

    /** The program in whose trace it was made, or null. */
    Trace trace() {
        return trace;
    }

    Tensor gradient() {
        Trace tracing = Trace.current();
        return tracing == null || tracing.owns(this) ? gradient : tracing.gradientOf(this);
    }

    /** What it holds, whatever is traced. */
    Tensor heldGradient() {
        return gradient;
    }

    void gradient(Tensor newGradient) {
        Trace tracing = Trace.current();
        if (tracing == null || tracing.owns(this)) {
            gradient = newGradient;
        } else {
            tracing.gradient(this, newGradient);
        }
    }

    /** As {@link #gradient(Tensor)}; the one before is nobody's any more. */
    void replaceGradient(Tensor newGradient) {
        Trace tracing = Trace.current();
        Tensor before = tracing == null || tracing.owns(this) ? gradient : null;
        gradient(newGradient);
        close(before);
    }

    /** What it belongs to is closed: nobody can ask for the gradient, but its recipe would hold what it was computed of. */
    void closeGradient() {
        Tensor last = gradient;
        gradient = null;
        close(last);
    }

    private static void close(Tensor formerGradient) {
        if (formerGradient != null) {
            formerGradient.close();
        }
    }
}

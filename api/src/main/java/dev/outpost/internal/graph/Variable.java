package dev.outpost.internal.graph;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.HostState;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Internals;
import dev.outpost.types.Layout;
import java.util.function.UnaryOperator;

/**
 * A cell as autograd sees it: shared by a tensor and its views, apart for what was detached.
 *
 * <p>Invariant: a gradient that arrives at {@link #edge} has the shape of {@link #root}.
 */
public final class Variable {
    private final Cell cell;
    private final Layout root;
    private final Scope scope = Internals.currentScope();
    private final HostState madeIn = HostStates.ofThread();
    private Edge edge;
    private String writeRefusal;
    private Tensor gradient;

    public Variable(Cell cell, Layout root) {
        this.cell = cell;
        this.root = root;
    }

    /** Where it was made or was kept in, and where what belongs to it lives. */
    public Scope scope() {
        return scope == null ? null : Internals.living(scope);
    }

    public Cell cell() {
        return cell;
    }

    public Layout root() {
        return root;
    }

    public boolean requiresGrad() {
        HostState host = HostStates.ofThread();
        if (host != madeIn) {
            host.assume(this, Variable::hasEdge);
        }
        return hasEdge();
    }

    private boolean hasEdge() {
        return edge != null;
    }

    /** Whether gradients end here because the user asked for them. */
    public boolean isRequiringLeaf() {
        return edge != null && edge.node() instanceof AccumulateNode end && end.isOf(this);
    }

    public Edge edge() {
        return edge;
    }

    /** Why it cannot be written in place, or null. */
    public String writeRefusal() {
        return writeRefusal;
    }

    public void refuseWrites(String reason) {
        writeRefusal = reason;
    }

    /** From here on the value comes from an op that autograd recorded. */
    public void computedBy(Edge newEdge) {
        HostState host = HostStates.ofThread();
        if (host != madeIn && (newEdge != null || edge != null)) {
            host.refuseTraced(
                    SourceLine.calledOp(),
                    "gradients do not flow out of a program, so what was made outside cannot take one; write "
                            + cell.label() + " in noGrad, or what is detached");
        }
        edge = newEdge;
    }

    /** From here on gradients are accumulated here, or not at all. */
    public void requireGrad(boolean required) {
        HostState host = HostStates.ofThread();
        if (host != madeIn) {
            host.refuseTraced("requires_grad", "a program cannot say so of what was made outside, got " + cell.label());
        }
        edge = required ? new Edge(new AccumulateNode(this), 0) : null;
    }

    public HostState madeIn() {
        return madeIn;
    }

    public Tensor gradient() {
        return HostStates.ofThread().read(new GradientRef(this));
    }

    /** The gradient that it holds, whatever is traced. */
    public Tensor heldGradient() {
        return gradient;
    }

    public void holdGradient(Tensor newGradient) {
        gradient = newGradient;
    }

    /** Returns a new handle of the gradient, which the caller owns, or null. */
    public Tensor gradientHandle() {
        // Another thread that adds to the gradient closes the tensor that it replaces.
        cell.beginWrite();
        try {
            Tensor held = gradient();
            return held == null ? null : Internals.another(held);
        } finally {
            cell.endWrite();
        }
    }

    /** Replaces the gradient and closes the old one. Null removes the gradient. */
    public void replaceGradient(Tensor newGradient) {
        cell.beginWrite();
        try {
            close(HostStates.ofThread().write(new GradientRef(this), newGradient));
        } finally {
            cell.endWrite();
        }
    }

    /** Replaces the gradient by a function of it, and closes the old one. The function gets null if there is no gradient. Thread-safe. */
    void addGradient(UnaryOperator<Tensor> sum) {
        cell.beginWrite();
        try {
            Tensor before = gradient();
            HostStates.ofThread().write(new GradientRef(this), sum.apply(before));
            close(before);
        } finally {
            cell.endWrite();
        }
    }

    /**
     * Closes the gradient of a closed tensor: it can be asked for by nothing, but its recipe would hold the values that
     * it was computed from.
     */
    public void closeGradient() {
        if (gradient != null) {
            cell.beginWrite();
            try {
                Tensor last = gradient;
                gradient = null;
                close(last);
            } finally {
                cell.endWrite();
            }
        }
    }

    private static void close(Tensor formerGradient) {
        if (formerGradient != null) {
            formerGradient.close();
        }
    }
}

package dev.outpost.internal.graph;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.HostState;
import dev.outpost.client.program.HostStates;
import dev.outpost.client.program.TensorRef;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.internal.Cell;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The autograd state of a cell. A tensor and its views share one variable; detached tensors have a separate variable.
 *
 * <p>Invariant: a gradient that arrives at {@link #edge} has the shape of {@link #root}.
 */
public final class Variable {
    private final Cell cell;
    private final Layout root;
    private final TensorScope scope = TensorScope.current();
    private final HostState madeIn = HostStates.ofThread();
    private Edge edge;
    private String writeRefusal;
    private TensorState gradient;

    public Variable(Cell cell, Layout root) {
        this.cell = cell;
        this.root = root;
    }

    /** Returns the scope that the variable was created in or moved to. Its gradient lives in the same scope. */
    public TensorScope scope() {
        return scope == null ? null : scope.living();
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

    /** True if this is a leaf for which the user requested gradients. */
    public boolean isRequiringLeaf() {
        return edge != null && edge.node().accumulates(this);
    }

    public Edge edge() {
        return edge;
    }

    /** Returns the reason why the variable cannot be written in place, or null. */
    public String writeRefusal() {
        return writeRefusal;
    }

    public void refuseWrites(String reason) {
        writeRefusal = reason;
    }

    /** Sets the edge of the op that computed the value and that autograd recorded. */
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

    /** Sets the edge that accumulates gradients in this variable; null means none. */
    void requireGrad(Edge newEdge) {
        HostState host = HostStates.ofThread();
        if (host != madeIn) {
            host.refuseTraced("requires_grad", "a program cannot say so of what was made outside, got " + cell.label());
        }
        edge = newEdge;
    }

    public TensorState gradient() {
        return HostStates.ofThread().read(new GradientRef(this));
    }

    /** Returns a new handle of the gradient, which the caller owns, or null. */
    public TensorState gradientHandle() {
        // The lock is needed because another thread that adds to the gradient closes the tensor that it replaces.
        cell.beginWrite();
        try {
            TensorState held = gradient();
            return held == null ? null : States.another(held);
        } finally {
            cell.endWrite();
        }
    }

    /** Replaces the gradient and closes the old gradient. Null removes the gradient. */
    public void replaceGradient(TensorState newGradient) {
        cell.beginWrite();
        try {
            close(HostStates.ofThread().write(new GradientRef(this), newGradient));
        } finally {
            cell.endWrite();
        }
    }

    /**
     * Replaces the gradient by a function of the gradient, and closes the old gradient. The function gets null if
     * there is no gradient. Thread-safe.
     */
    void addGradient(UnaryOperator<TensorState> sum) {
        cell.beginWrite();
        try {
            TensorState before = gradient();
            HostStates.ofThread().write(new GradientRef(this), sum.apply(before));
            close(before);
        } finally {
            cell.endWrite();
        }
    }

    /**
     * Closes the gradient of a closed tensor. The gradient is unreachable, but it would keep alive the values that it was computed
     * from.
     */
    public void closeGradient() {
        if (gradient != null) {
            cell.beginWrite();
            try {
                TensorState last = gradient;
                gradient = null;
                close(last);
            } finally {
                cell.endWrite();
            }
        }
    }

    private static void close(TensorState formerGradient) {
        if (formerGradient != null) {
            formerGradient.close();
        }
    }

    /** The gradient of a variable. */
    private record GradientRef(Variable variable) implements TensorRef<TensorState> {
        @Override
        public HostState madeIn() {
            return variable.madeIn;
        }

        @Override
        public Storage guard() {
            return variable.cell();
        }

        @Override
        public TensorState held() {
            return variable.gradient;
        }

        @Override
        public void hold(TensorState gradient) {
            variable.gradient = gradient;
        }

        @Override
        public TensorType heldType() {
            TensorState gradient = held();
            return gradient == null ? null : States.heldType(gradient);
        }

        @Override
        public ValueHandle lend(Consumer<TensorState> made) {
            TensorState gradient = held();
            if (States.wholeValue(gradient) != null) {
                return States.cell(gradient).handle();
            }
            TensorState whole = GradMode.with(false, gradient::clone);
            made.accept(whole);
            return States.cell(whole).handle();
        }

        @Override
        public TensorState over(RemoteValue fresh) {
            return variable.cell().home().over(fresh);
        }

        @Override
        public RemoteValue whole(TensorState gradient) {
            RemoteValue value = States.wholeValue(gradient);
            return value != null ? value : States.wholeValue(gradient.clone());
        }

        /** The gradient lives in the scope of its variable, like a gradient that backward stores. */
        @Override
        public void bind(RemoteValue value) {
            TensorState gradient = value == null ? null : variable.cell().home().sharing(value);
            variable.replaceGradient(gradient);
            if (gradient != null) {
                TensorScope.move(gradient, variable.scope());
            }
        }

        @Override
        public String name() {
            String whose = variable.cell().name();
            return whose.isEmpty() ? "" : "gradient of " + whose;
        }

        @Override
        public String label() {
            return "gradient of " + variable.cell().label();
        }
    }
}

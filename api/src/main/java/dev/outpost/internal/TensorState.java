package dev.outpost.internal;

import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.graph.ViewNode;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of a tensor. The core (autograd's graph, maps, traces) works on this class and does not depend on {@code Tensor}, which
 * extends it by the ops. {@link States} has the operations on a state, because users would see a public method here on each tensor.
 */
public abstract class TensorState implements Operand, AutoCloseable {
    private static final VarHandle CLOSING;

    static {
        try {
            CLOSING = MethodHandles.lookup().findVarHandle(TensorState.class, "closing", Closing.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    Variable variable;
    Layout layout;
    /** Created at the first use, because many views are only intermediate steps to other views. */
    @Nullable
    TensorType type;

    @Nullable
    ViewNode viewNode;
    /** The node of the view that this view was made from. */
    @Nullable
    ViewNode parentNode;
    /** Holds the gradient of a tensor that is not a leaf. */
    @Nullable
    Variable retained;

    @Nullable
    TensorScope scope;

    int placeInScope;
    /**
     * Null while the tensor is open. If several threads close the tensor at once, only the first call takes effect.
     */
    @Nullable
    Closing closing;

    /** The call that closed a tensor, with advice for the message of later uses. */
    enum Closing {
        CALL("by close(): close it behind its last use, or use another handle, as detach() makes"),
        SCOPE("with its scope: scope.keep(tensor) lets it live in the scope around it, or on its own where there is"
                + " none"),
        TIDY("by Scope.tidy, of which only the answer stays: answer it, or make it outside");

        final String text;

        Closing(String text) {
            this.text = text;
        }
    }

    protected TensorState(Variable variable, Layout layout) {
        this.variable = variable;
        this.layout = layout;
        variable.cell().opened();
        TensorScope.adopt(this);
    }

    public abstract Shape shape();

    public abstract DType dtype();

    public abstract boolean requiresGrad();

    @Override
    public abstract void close();

    /** Returns a row-major copy with its own memory. */
    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public abstract TensorState clone();

    /** Marks the tensor as closed. Returns false if it was closed before. */
    boolean beginClose(Closing how) {
        return closing == null && CLOSING.compareAndSet(this, null, how);
    }
}

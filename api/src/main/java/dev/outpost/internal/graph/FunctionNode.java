package dev.outpost.internal.graph;

import dev.outpost.internal.TensorState;
import dev.outpost.types.OpException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A node that computes the gradients of an op's inputs from those of its outputs. It may save tensors for this. */
public abstract class FunctionNode extends Node {
    private static final int RELEASED = Integer.MIN_VALUE;
    private static final VarHandle USES;

    static {
        try {
            USES = MethodHandles.lookup().findVarHandle(FunctionNode.class, "uses", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * The number of threads that use the saved tensors; negative after {@link #release}. The last of these threads then closes the
     * tensors.
     */
    private int uses;

    /** @param edges an edge for each input; null if the input needs no gradient */
    protected FunctionNode(Edge[] edges) {
        super(edges);
    }

    /** Computes the gradients of the inputs; null if none flows. {@code gradients} has an entry for each output; null if none arrived. */
    public abstract TensorState[] backward(TensorState[] gradients);

    /** True if {@link #backward} is code of the user's program, which owns the tensors that it creates. */
    public boolean isForeign() {
        return false;
    }

    /** Keeps the saved tensors open until {@link #endUse}. Throws OpException if they were released. */
    final void beginUse() {
        int now = (int) USES.getVolatile(this);
        while (now >= 0) {
            int seen = (int) USES.compareAndExchange(this, now, now + 1);
            if (seen == now) {
                return;
            }
            now = seen;
        }
        throw new OpException(
                "backward",
                "what " + opName() + " saved was freed by an earlier backward; call that one with retainGraph");
    }

    final void endUse() {
        if ((int) USES.getAndAdd(this, -1) == RELEASED + 1) {
            closeSaved();
        }
    }

    /** Closes the saved tensors as soon as no thread uses them. A later backward pass through this node fails. */
    final void release() {
        if (hasSaved() && (int) USES.getAndBitwiseOr(this, RELEASED) == 0) {
            closeSaved();
        }
    }

    /** True if tensors are saved for backward. */
    protected boolean hasSaved() {
        return false;
    }

    /** Closes the saved tensors. Called once. */
    protected void closeSaved() {}

    /** Returns the op's name for messages. */
    protected String opName() {
        return label();
    }
}

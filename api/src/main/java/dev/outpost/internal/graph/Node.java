package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.client.record.ActiveSignal;
import dev.outpost.types.OpException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A step of the autograd graph: takes the gradients of an op's outputs to those of its inputs. Identity is what makes
 * two nodes the same.
 */
public abstract class Node {
    private static final AtomicLong SEQUENCE = new AtomicLong();
    private static final int RELEASED = Integer.MIN_VALUE;
    private static final VarHandle USES;

    static {
        try {
            USES = MethodHandles.lookup().findVarHandle(Node.class, "uses", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final long sequence;
    private final Edge[] edges;
    /** Within which the op was recorded; null for none. */
    private final ActiveSignal signal = ActiveSignal.ofThread();

    private List<List<UnaryOperator<Tensor>>> hooks;
    /**
     * The number of threads that use the saved tensors; negative after {@link #release}. The last of these threads then closes the
     * tensors.
     */
    private int uses;

    /** @param edges one for each input, null where no gradient is wanted */
    public Node(Edge[] edges) {
        this.edges = edges;
        this.sequence = SEQUENCE.incrementAndGet();
    }

    /** The number of the latest node. */
    public static long latest() {
        return SEQUENCE.get();
    }

    /** Greater than that of every node that this one's edges lead to. */
    public final long sequence() {
        return sequence;
    }

    public final Edge[] edges() {
        return edges;
    }

    public final boolean needs(int input) {
        return edges[input] != null;
    }

    /** Runs what differentiates this node where the signal says within which the op was recorded. */
    public final void differentiating(Runnable body) {
        if (signal == null) {
            body.run();
        } else {
            signal.differentiating(body);
        }
    }

    public abstract int outputs();

    /**
     * The gradients of the inputs, null where none flows. {@code gradients} holds one for each output, null where none
     * arrived.
     */
    public abstract Tensor[] backward(Tensor[] gradients);

    /** Whether {@link #backward} is the program's own code, whose tensors are the program's. */
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

    /** For people: the op and its attributes. */
    public abstract String label();

    /** Adds a function that sees, and may replace, the whole gradient of an output before it flows on. */
    public final void addHook(int output, UnaryOperator<Tensor> hook) {
        if (hooks == null) {
            hooks = new ArrayList<>();
        }
        while (hooks.size() <= output) {
            hooks.add(new ArrayList<>());
        }
        hooks.get(output).add(hook);
    }

    public final void removeHook(UnaryOperator<Tensor> hook) {
        if (hooks != null) {
            hooks.forEach(list -> list.remove(hook));
        }
    }

    public final boolean hasHooks(int output) {
        return hooks != null && output < hooks.size() && !hooks.get(output).isEmpty();
    }

    public final Tensor hooked(int output, Tensor gradient) {
        Tensor current = gradient;
        for (UnaryOperator<Tensor> hook : List.copyOf(hooks.get(output))) {
            Tensor replaced = hook.apply(current);
            current = replaced == null ? current : replaced;
        }
        return current;
    }
}

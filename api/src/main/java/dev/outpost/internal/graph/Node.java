package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.client.ActiveSignal;
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

    private final long sequence;
    private final Edge[] edges;
    /** Within which the op was recorded; null for none. */
    private final ActiveSignal signal = ActiveSignal.ofThread();

    private List<List<UnaryOperator<Tensor>>> hooks;

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

    /** Lets go of what was saved for backward; a second backward then fails. */
    public void release() {}

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

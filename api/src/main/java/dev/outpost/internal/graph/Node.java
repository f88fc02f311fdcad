package dev.outpost.internal.graph;

import dev.outpost.client.record.ActiveSignal;
import dev.outpost.internal.TensorState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A step of the autograd graph, from an op's outputs to its inputs. Two nodes are the same if they are one object.
 */
public abstract class Node {
    /** The target of a gradient: an output of a node. */
    public record Edge(Node node, int output) {}

    private static final AtomicLong SEQUENCE = new AtomicLong();
    private final long sequence;
    private final Edge[] edges;
    /** The signal under which the op was recorded, or null. */
    private final ActiveSignal signal = ActiveSignal.ofThread();

    private List<List<UnaryOperator<TensorState>>> hooks;
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

    /** True if this node accumulates the gradients of a leaf. */
    boolean accumulates(Variable leaf) {
        return false;
    }

    /** For people: the op and its attributes. */
    public abstract String label();

    /** Adds a function that sees, and may replace, the whole gradient of an output before it flows on. */
    public final void addHook(int output, UnaryOperator<TensorState> hook) {
        if (hooks == null) {
            hooks = new ArrayList<>();
        }
        while (hooks.size() <= output) {
            hooks.add(new ArrayList<>());
        }
        hooks.get(output).add(hook);
    }

    public final void removeHook(UnaryOperator<TensorState> hook) {
        if (hooks != null) {
            hooks.forEach(list -> list.remove(hook));
        }
    }

    public final boolean hasHooks(int output) {
        return hooks != null && output < hooks.size() && !hooks.get(output).isEmpty();
    }

    public final TensorState hooked(int output, TensorState gradient) {
        TensorState current = gradient;
        for (UnaryOperator<TensorState> hook : List.copyOf(hooks.get(output))) {
            TensorState replaced = hook.apply(current);
            current = replaced == null ? current : replaced;
        }
        return current;
    }
}

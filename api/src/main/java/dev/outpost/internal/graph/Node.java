package dev.outpost.internal.graph;

import dev.outpost.client.record.ActiveSignal;
import dev.outpost.internal.TensorState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A node of the autograd graph: the step from an op's outputs to its inputs. Nodes are equal only if they are the same object. */
public abstract class Node {
    /** The target of a gradient: an output of a node. */
    public record Edge(Node node, int output) {}

    private static final AtomicLong SEQUENCE = new AtomicLong();
    private final long sequence;
    private final Edge[] edges;
    /** The signal under which the op was recorded, or null. */
    private final ActiveSignal signal = ActiveSignal.ofThread();

    private List<List<UnaryOperator<TensorState>>> hooks;
    /** @param edges an edge for each input; null if the input needs no gradient */
    public Node(Edge[] edges) {
        this.edges = edges;
        this.sequence = SEQUENCE.incrementAndGet();
    }

    /** Returns the sequence number of the latest node. */
    public static long latest() {
        return SEQUENCE.get();
    }

    /** Returns the sequence number. It is greater than the numbers of all nodes that this node's edges lead to. */
    public final long sequence() {
        return sequence;
    }

    public final Edge[] edges() {
        return edges;
    }

    public final boolean needs(int input) {
        return edges[input] != null;
    }

    /** Runs the backward of this node with the placement of the signal under which the op was recorded. */
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

    /** Returns the op and its attributes, for messages. */
    public abstract String label();

    /** Adds a function that receives, and may replace, the complete gradient of an output before it flows on. */
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

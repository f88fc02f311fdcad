package dev.outpost.internal.graph;

import dev.outpost.client.program.HostState;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * One pass over autograd's graph, from outputs to inputs. The pass owns a gradient from its arrival at a node until the node has passed
 * it on. Only three kinds of gradients live longer: requested ones, those that leaves accumulate, and those that code of the program
 * has seen.
 */
public final class BackwardPass implements AutoCloseable {
    private final TensorScope scope = TensorScope.openTidy();
    private final HostState host = HostStates.ofThread();
    private final TensorDevice device;
    private final boolean retainGraph;
    private final Map<Edge, TensorState> found;
    private final Map<Node, GradientAccumulator[]> gradients = new HashMap<>();
    private final PriorityQueue<Node> ready = new PriorityQueue<>((a, b) -> Long.compare(b.sequence(), a.sequence()));
    private final Set<Node> relevant;

    /**
     * @param device the device of the outputs
     * @param wanted the edges whose gradients are returned instead of accumulated in leaves; empty for backward
     */
    public BackwardPass(TensorDevice device, boolean retainGraph, Map<Edge, TensorState> wanted) {
        this.device = device;
        this.retainGraph = retainGraph;
        this.found = new HashMap<>(wanted);
        this.relevant = wanted.isEmpty() ? null : new HashSet<>();
    }

    /** @param gradient the initial gradient at the edge */
    public void seed(Edge edge, TensorState gradient) {
        if (relevant != null) {
            markRelevant(edge.node());
        }
        if (isWalked(edge)) {
            arriving(edge).add(own(gradient));
        }
    }

    /** Marks the nodes that lead to a wanted edge; the pass skips all others. Visits nodes in the order of recording, inputs first. */
    private void markRelevant(Node start) {
        Set<Node> reachable = new HashSet<>();
        PriorityQueue<Node> oldestFirst = new PriorityQueue<>((a, b) -> Long.compare(a.sequence(), b.sequence()));
        ArrayDeque<Node> open = new ArrayDeque<>(List.of(start));
        reachable.add(start);
        while (!open.isEmpty()) {
            Node node = open.pop();
            oldestFirst.add(node);
            for (Edge edge : edges(node)) {
                if (edge != null && reachable.add(edge.node())) {
                    open.push(edge.node());
                }
            }
        }
        while (!oldestFirst.isEmpty()) {
            Node node = oldestFirst.poll();
            if (isWanted(node) || leadsOn(node)) {
                relevant.add(node);
            }
        }
    }

    private boolean isWanted(Node node) {
        return found.keySet().stream().anyMatch(edge -> edge.node() == node);
    }

    private boolean leadsOn(Node node) {
        for (Edge edge : edges(node)) {
            if (edge != null && relevant.contains(edge.node())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the targets of a node's gradients. For a view, this is the nearest ancestor view whose own gradient is requested. */
    private Edge[] edges(Node node) {
        ViewNode ancestor = node instanceof ViewNode view ? askedAncestor(view) : null;
        return ancestor == null ? node.edges() : new Edge[] {new Edge(ancestor, 0)};
    }

    private ViewNode askedAncestor(ViewNode view) {
        ViewNode ancestor = view.parent();
        while (ancestor != null && !(isAsked(ancestor) && ancestor.isInjective())) {
            ancestor = ancestor.parent();
        }
        return ancestor;
    }

    private boolean isAsked(ViewNode view) {
        return view.hasHooks(0) || found.containsKey(new Edge(view, 0));
    }

    public void run() {
        while (!ready.isEmpty()) {
            Node node = ready.poll();
            TensorState[] arrived = arrived(node, gradients.remove(node));
            if (relevant == null || leadsOn(node)) {
                node.differentiating(() -> pass(node, arrived));
            }
            for (TensorState gradient : arrived) {
                if (isOurs(gradient)) {
                    gradient.close();
                }
            }
        }
    }

    /** Returns the complete gradients of a node's outputs. */
    private TensorState[] arrived(Node node, GradientAccumulator[] arriving) {
        TensorState[] arrived = new TensorState[arriving.length];
        for (int output = 0; output < arrived.length; output++) {
            if (arriving[output] != null) {
                arrived[output] = hooked(node, output, arriving[output].take());
                capture(new Edge(node, output), arrived[output]);
            }
        }
        return arrived;
    }

    /** Applies the hooks. The gradient stays open, because a hook may keep it. */
    private TensorState hooked(Node node, int output, TensorState gradient) {
        return node.hasHooks(output) ? scope.outside(() -> node.hooked(output, scope.keep(gradient))) : gradient;
    }

    private void capture(Edge edge, TensorState gradient) {
        if (found.containsKey(edge)) {
            found.put(edge, isOurs(gradient) ? own(gradient) : gradient);
        }
    }

    /** Returns the gradient of a wanted input, or null. The caller owns it. */
    public TensorState found(TensorState input) {
        return scope.keep(found.get(States.gradientEdge(input)));
    }

    private void pass(Node node, TensorState[] arrived) {
        requireInside(node);
        try (TensorScope step = TensorScope.openTidy()) {
            if (node instanceof ViewNode view) {
                passView(view, arrived[0], step);
            } else if (node instanceof FunctionNode function) {
                passResults(node, used(function, arrived, step), step);
            }
        }
        if (!retainGraph && node instanceof FunctionNode function) {
            function.release();
        }
    }

    /** Throws if the gradients of a program reach a node recorded outside of it, except for leaves. */
    private void requireInside(Node node) {
        if (node.sequence() <= host.nodesBefore() && !(node instanceof AccumulateNode) && !(node instanceof ViewNode)) {
            host.refuseTraced(
                    "backward",
                    "gradients do not flow out of a program, got to " + node.label()
                            + ", which was computed outside; detach it, or compute it inside");
        }
    }

    /**
     * Runs a node's backward. Keeps the saved tensors open during this time, because another thread on the same graph
     * may release the node.
     */
    private TensorState[] used(FunctionNode node, TensorState[] arrived, TensorScope step) {
        node.beginUse();
        try {
            return backward(node, arrived, step);
        } finally {
            node.endUse();
        }
    }

    /** Runs a node's backward. A user-defined function may keep its inputs and results, so these stay open. */
    private TensorState[] backward(FunctionNode node, TensorState[] arrived, TensorScope step) {
        if (!node.isForeign()) {
            return node.backward(arrived);
        }
        for (TensorState gradient : arrived) {
            scope.keep(gradient);
        }
        return step.outside(() -> scope.outside(() -> node.backward(arrived)));
    }

    private void passResults(Node node, TensorState[] results, TensorScope step) {
        Edge[] edges = node.edges();
        for (int input = 0; input < edges.length; input++) {
            if (edges[input] != null && results[input] != null && isWalked(edges[input])) {
                GradientAccumulator arriving = arriving(edges[input]);
                // If a rule passes its input on, or uses one tensor for two results, the tensor has another owner.
                boolean isNew = States.scope(results[input]) == step;
                arriving.add(isNew ? results[input] : own(results[input]));
                arriving.keepBeyond(step);
            }
        }
    }

    private void passView(ViewNode view, TensorState arrived, TensorScope step) {
        ViewNode ancestor = askedAncestor(view);
        Edge edge = ancestor == null ? view.edges()[0] : new Edge(ancestor, 0);
        if (isWalked(edge)) {
            GradientAccumulator arriving = arriving(edge);
            if (ancestor == null) {
                arriving.add(view, arrived);
            } else {
                arriving.add(ViewGradients.backwardTo(view, ancestor, arrived));
            }
            arriving.keepBeyond(step);
        }
    }

    private boolean isOurs(TensorState gradient) {
        return gradient != null && States.scope(gradient) == scope;
    }

    /** Returns another handle, so that closing it does not affect the owner of this handle. */
    private static TensorState own(TensorState gradient) {
        return States.another(gradient);
    }

    private boolean isWalked(Edge edge) {
        return relevant == null || relevant.contains(edge.node());
    }

    private GradientAccumulator arriving(Edge edge) {
        GradientAccumulator[] slots = gradients.computeIfAbsent(edge.node(), node -> {
            ready.add(node);
            return new GradientAccumulator[node.outputs()];
        });
        if (slots[edge.output()] == null) {
            slots[edge.output()] = new GradientAccumulator();
        }
        return slots[edge.output()];
    }

    @Override
    public void close() {
        scope.close();
    }
}

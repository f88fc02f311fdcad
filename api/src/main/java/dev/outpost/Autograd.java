package dev.outpost;

import dev.outpost.protocol.fault.OpException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Reverse-mode differentiation: walks the graph from the outputs in the reverse of the order in which it was recorded.
 * Gradients are computed by tensor ops, so they can be differentiated again.
 */
public final class Autograd {
    private Autograd() {}

    /** Accumulates gradients in the leaves; see {@link Tensor#backward(Tensor, boolean)}. */
    static void backward(Tensor output, Tensor gradient, boolean retainGraph) {
        requireDifferentiable("backward", output);
        Walk walk = new Walk(retainGraph, Map.of());
        walk.seed(output.gradientEdge(), startingGradient("backward", output, gradient));
        GradMode.with(false, () -> {
            walk.run();
            return null;
        });
    }

    /** As the longer form, with a gradient of one, and without keeping the graph. */
    public static List<Tensor> grad(Tensor output, List<Tensor> inputs) {
        return grad(output, inputs, null, false, false);
    }

    /**
     * The gradients of {@code output} with respect to {@code inputs} (torch.autograd.grad); leaves are left alone.
     *
     * @param gradient of the output's shape; null for one, if the output is a scalar
     * @param retainGraph whether what was saved is kept for another backward
     * @param createGraph whether the gradients can be differentiated again; keeps what was saved as well
     * @return one for each input; null where the output does not depend on it
     */
    public static List<Tensor> grad(
            Tensor output, List<Tensor> inputs, Tensor gradient, boolean retainGraph, boolean createGraph) {
        requireDifferentiable("grad", output);
        Map<Edge, Tensor> wanted = new HashMap<>();
        for (Tensor input : inputs) {
            requireDifferentiable("grad", input);
            wanted.put(input.gradientEdge(), null);
        }
        Walk walk = new Walk(retainGraph || createGraph, wanted);
        walk.seed(output.gradientEdge(), startingGradient("grad", output, gradient));
        GradMode.with(createGraph, () -> {
            walk.run();
            return null;
        });
        return inputs.stream()
                .map(input -> walk.found.get(input.gradientEdge()))
                .toList();
    }

    private static void requireDifferentiable(String op, Tensor tensor) {
        if (!tensor.requiresGrad()) {
            throw new OpException(op, "the tensor does not require gradients, got " + tensor.type());
        }
    }

    private static Tensor startingGradient(String op, Tensor output, Tensor gradient) {
        if (gradient != null) {
            if (!gradient.shape().equals(output.shape())) {
                throw new OpException(
                        op,
                        "the gradient must have the output's shape, got " + gradient.shape() + " and "
                                + output.shape());
            }
            return gradient;
        }
        if (output.numel() != 1) {
            throw new OpException(op, "only a scalar needs no gradient to start from, got " + output.shape());
        }
        return Creation.full(output.session(), output.shape(), output.dtype(), 1);
    }

    /** One walk over the graph. */
    private static final class Walk {
        private final boolean retainGraph;
        private final Map<Edge, Tensor> found;
        private final Map<Node, ArrivingGradient[]> gradients = new HashMap<>();
        private final PriorityQueue<Node> ready =
                new PriorityQueue<>((a, b) -> Long.compare(b.sequence(), a.sequence()));
        private final Set<Node> relevant;

        /** @param wanted where gradients are to be found instead of accumulated in leaves; empty for backward */
        Walk(boolean retainGraph, Map<Edge, Tensor> wanted) {
            this.retainGraph = retainGraph;
            this.found = new HashMap<>(wanted);
            this.relevant = wanted.isEmpty() ? null : new HashSet<>();
        }

        void seed(Edge edge, Tensor gradient) {
            if (relevant != null) {
                markRelevant(edge.node());
            }
            if (isWalked(edge)) {
                arriving(edge).add(gradient);
            }
        }

        /** Only what leads to a wanted edge is walked: nodes are visited in the order of recording, inputs first. */
        private void markRelevant(Node start) {
            Set<Node> reachable = new HashSet<>();
            PriorityQueue<Node> oldestFirst = new PriorityQueue<>((a, b) -> Long.compare(a.sequence(), b.sequence()));
            ArrayDeque<Node> open = new ArrayDeque<>(List.of(start));
            reachable.add(start);
            while (!open.isEmpty()) {
                Node node = open.pop();
                oldestFirst.add(node);
                for (Edge edge : node.edges()) {
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
            for (Edge edge : node.edges()) {
                if (edge != null && relevant.contains(edge.node())) {
                    return true;
                }
            }
            return false;
        }

        void run() {
            while (!ready.isEmpty()) {
                Node node = ready.poll();
                ArrivingGradient[] arriving = gradients.remove(node);
                Tensor[] arrived = new Tensor[arriving.length];
                for (int output = 0; output < arrived.length; output++) {
                    arrived[output] = arriving[output] == null ? null : node.hooked(output, arriving[output].sum());
                    capture(new Edge(node, output), arrived[output]);
                }
                if (relevant == null || leadsOn(node)) {
                    pass(node, arrived);
                }
            }
        }

        private void capture(Edge edge, Tensor gradient) {
            if (gradient != null && found.containsKey(edge)) {
                found.put(edge, gradient);
            }
        }

        private void pass(Node node, Tensor[] arrived) {
            Trace trace = Trace.current();
            if (trace != null) {
                trace.requireInside(node);
            }
            if (node instanceof ViewNode view) {
                passView(view, arrived[0]);
            } else {
                passResults(node, node.backward(arrived));
            }
            if (!retainGraph) {
                node.release();
            }
        }

        private void passResults(Node node, Tensor[] results) {
            Edge[] edges = node.edges();
            for (int input = 0; input < edges.length; input++) {
                if (edges[input] != null && results[input] != null && isWalked(edges[input])) {
                    arriving(edges[input]).add(results[input]);
                }
            }
        }

        private void passView(ViewNode view, Tensor arrived) {
            Edge edge = view.edges()[0];
            if (isWalked(edge)) {
                arriving(edge).add(view, arrived);
            }
        }

        private boolean isWalked(Edge edge) {
            return relevant == null || relevant.contains(edge.node());
        }

        private ArrivingGradient arriving(Edge edge) {
            ArrivingGradient[] slots = gradients.computeIfAbsent(edge.node(), node -> {
                ready.add(node);
                return new ArrivingGradient[node.outputs()];
            });
            if (slots[edge.output()] == null) {
                slots[edge.output()] = new ArrivingGradient();
            }
            return slots[edge.output()];
        }
    }
}

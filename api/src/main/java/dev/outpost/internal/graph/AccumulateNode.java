package dev.outpost.internal.graph;

import dev.outpost.autograd.GradMode;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.protocol.op.Binary;

/** The node of a leaf: adds arriving gradients to the leaf's gradient. */
public final class AccumulateNode extends FunctionNode {
    private static final Edge[] NO_EDGES = {};

    private final Variable leaf;

    private AccumulateNode(Variable leaf) {
        super(NO_EDGES);
        this.leaf = leaf;
    }

    @Override
    boolean accumulates(Variable variable) {
        return variable == leaf;
    }

    /** Sets whether gradients are accumulated in a tensor. */
    public static void require(TensorState tensor, boolean required) {
        Variable variable = States.variable(tensor);
        if (variable.isRequiringLeaf() != required) {
            if (!States.isRoot(tensor)) {
                // A view that becomes a leaf gets its own variable; its base stays without gradients.
                variable = new Variable(variable.cell(), States.layout(tensor));
                States.replaceVariable(tensor, variable);
            }
            variable.requireGrad(required ? new Edge(new AccumulateNode(variable), 0) : null);
        }
    }

    /** Makes the next backward keep the gradient of a tensor that is not a leaf. */
    public static void retainGradient(TensorState tensor) {
        if (States.retainsGradient(tensor)) {
            return;
        }
        // The tensor needs its own variable, because the shared variable belongs to its base.
        Variable holder = new Variable(States.variable(tensor).cell(), States.layout(tensor));
        States.retainGradientIn(tensor, holder);
        Edge edge = States.gradientEdge(tensor);
        edge.node().addHook(edge.output(), gradient -> {
            accumulate(holder, gradient);
            return gradient;
        });
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public TensorState[] backward(TensorState[] gradients) {
        accumulate(leaf, gradients[0]);
        return new TensorState[0];
    }

    @Override
    public String label() {
        String name = leaf.cell().name();
        return "AccumulateGrad " + (name.isEmpty() ? "" : name + " ")
                + leaf.root().shape();
    }

    /**
     * Adds a gradient to the leaf's gradient. The gradient belongs to the leaf's scope, not to the scope that
     * computed it.
     */
    private static void accumulate(Variable variable, TensorState gradient) {
        variable.addGradient(before -> {
            TensorState after = before == null ? own(gradient) : OpRecording.binary(Binary.ADD, before, gradient);
            if (!GradMode.isEnabled()) {
                States.variable(after).computedBy(null);
            }
            TensorScope.move(after, variable.scope());
            return after;
        });
    }

    /** Returns a tensor with a separate cell over the same value. Values are immutable, so this is equivalent to a copy. */
    private static TensorState own(TensorState gradient) {
        return States.isWhole(gradient) ? States.snapshot(gradient) : gradient.clone();
    }
}

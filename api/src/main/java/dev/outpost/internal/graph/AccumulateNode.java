package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Internals;

/** The end of a path: adds what arrives to the leaf's gradient. */
public final class AccumulateNode extends Node {
    private static final Edge[] NO_EDGES = {};

    private final Variable leaf;

    public AccumulateNode(Variable leaf) {
        super(NO_EDGES);
        this.leaf = leaf;
    }

    /** True if this node accumulates the gradients of the given leaf. */
    boolean isOf(Variable variable) {
        return variable == leaf;
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Tensor[] backward(Tensor[] gradients) {
        accumulate(leaf, gradients[0]);
        return new Tensor[0];
    }

    @Override
    public String label() {
        String name = leaf.cell().name();
        return "AccumulateGrad " + (name.isEmpty() ? "" : name + " ")
                + leaf.root().shape();
    }

    /** A gradient belongs to its leaf, so it lives where the leaf lives, not in the scope that computed it. */
    public static void accumulate(Variable variable, Tensor gradient) {
        variable.addGradient(before -> {
            Tensor after = before == null ? own(gradient) : before.add(gradient);
            if (!GradMode.isEnabled()) {
                Internals.variable(after).computedBy(null);
            }
            Internals.move(after, variable.scope());
            return after;
        });
    }

    /** Values never change, so a cell of its own over the same value is as good as a copy. */
    private static Tensor own(Tensor gradient) {
        return Internals.isWhole(gradient) ? Internals.snapshot(gradient) : gradient.clone();
    }
}

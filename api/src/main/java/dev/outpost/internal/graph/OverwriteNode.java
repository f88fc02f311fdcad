package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;

/** The node of storage that was written over as a whole: zeros for what was there, all that arrives for what was written. */
public final class OverwriteNode extends Node {
    /** @param written null if no gradient is wanted of what was written */
    public OverwriteNode(Edge before, Edge written) {
        super(new Edge[] {before, written});
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Tensor[] backward(Tensor[] gradients) {
        return new Tensor[] {Gradients.zerosLike(gradients[0]), gradients[0]};
    }

    @Override
    public String label() {
        return "overwrite";
    }
}

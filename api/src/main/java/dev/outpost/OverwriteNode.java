package dev.outpost;

/** The node of storage that was written over as a whole: zeros for what was there, all that arrives for what was written. */
final class OverwriteNode extends Node {
    /** @param written null if no gradient is wanted of what was written */
    OverwriteNode(Edge before, Edge written) {
        super(new Edge[] {before, written});
    }

    @Override
    int outputs() {
        return 1;
    }

    @Override
    Tensor[] backward(Tensor[] gradients) {
        return new Tensor[] {Gradients.zerosLike(gradients[0]), gradients[0]};
    }

    @Override
    String label() {
        return "overwrite";
    }
}

package dev.outpost.internal.graph;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.Scalar;

/**
 * The node of a storage that was overwritten completely. The old value gets a gradient of zeros; the written value gets the whole
 * arriving gradient.
 */
public final class OverwriteNode extends FunctionNode {
    /** @param written the edge of the written value; null if it needs no gradient */
    public OverwriteNode(Edge before, Edge written) {
        super(new Edge[] {before, written});
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public TensorState[] backward(TensorState[] gradients) {
        Fill zeros = new Fill(gradients[0].shape(), Scalar.of(gradients[0].dtype(), 0L));
        return new TensorState[] {OpRecording.make(States.home(gradients[0]), zeros), gradients[0]};
    }

    @Override
    public String label() {
        return "overwrite";
    }
}

package dev.outpost.internal.graph;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.Scalar;

/** The node of storage that was written over as a whole: zeros for what was there, all that arrives for what was written. */
public final class OverwriteNode extends FunctionNode {
    /** @param written null if no gradient is wanted of what was written */
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

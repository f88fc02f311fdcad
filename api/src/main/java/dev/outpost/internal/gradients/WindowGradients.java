package dev.outpost.internal.gradients;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/** The rules of convolutions and pooling. */
public final class WindowGradients {
    private WindowGradients() {}

    /** A convolution relates three tensors and is linear in each, so each gradient is a convolution, too. */
    public static TensorState first(Convolution op, OpNode node, TensorState g) {
        TensorState second = (TensorState) node.input(1);
        return switch (op.fn()) {
            case FORWARD -> apply(op, Convolution.Fn.INPUT, node.inputShape(0), second, g);
            case INPUT -> apply(op, Convolution.Fn.WEIGHT, node.inputShape(0), g, second);
            case WEIGHT -> apply(op, Convolution.Fn.INPUT, node.inputShape(0), g, second);
        };
    }

    public static TensorState second(Convolution op, OpNode node, TensorState g) {
        TensorState first = (TensorState) node.input(0);
        return switch (op.fn()) {
            case FORWARD -> apply(op, Convolution.Fn.WEIGHT, node.inputShape(1), first, g);
            case INPUT -> apply(op, Convolution.Fn.FORWARD, node.inputShape(1), g, first);
            case WEIGHT -> apply(op, Convolution.Fn.FORWARD, node.inputShape(1), first, g);
        };
    }

    private static TensorState apply(
            Convolution op, Convolution.Fn result, Shape shape, TensorState first, TensorState second) {
        return OpRecording.apply(op.to(result, shape), first, second);
    }

    /** Adds the gradient of a window's maximum at the position of the maximum. */
    public static TensorState maxPool(OpNode node, TensorState g) {
        Shape input = node.inputShape(0);
        Shape lines = Shape.of(input.size(0), input.size(1) * input.size(2));
        Shape chosen = Shape.of(input.size(0), g.shape().size(1) * g.shape().size(2));
        TensorState zeros = OpRecording.make(States.home(g), new Fill(lines, Scalar.of(g.dtype(), 0L)));
        TensorState sums = OpRecording.apply(
                new Scatter(Scatter.Fn.ADD, 1),
                zeros,
                StateViews.reshape(node.output(1), chosen),
                StateViews.reshape(g, chosen));
        return StateViews.reshape(sums, input);
    }
}

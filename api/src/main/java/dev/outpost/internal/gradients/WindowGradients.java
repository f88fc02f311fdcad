package dev.outpost.internal.gradients;

import dev.outpost.internal.States;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.Shape;

/** The rules of windows that slide over images. */
public final class WindowGradients {
    private WindowGradients() {}

    /** The form is linear in each of its three tensors, so a gradient is the same form with another result. */
    public static Tensor first(Convolution op, OpNode node, Tensor g) {
        Tensor second = (Tensor) node.input(1);
        return switch (op.fn()) {
            case FORWARD -> apply(op, Convolution.Fn.INPUT, node.inputShape(0), second, g);
            case INPUT -> apply(op, Convolution.Fn.WEIGHT, node.inputShape(0), g, second);
            case WEIGHT -> apply(op, Convolution.Fn.INPUT, node.inputShape(0), g, second);
        };
    }

    public static Tensor second(Convolution op, OpNode node, Tensor g) {
        Tensor first = (Tensor) node.input(0);
        return switch (op.fn()) {
            case FORWARD -> apply(op, Convolution.Fn.WEIGHT, node.inputShape(1), first, g);
            case INPUT -> apply(op, Convolution.Fn.FORWARD, node.inputShape(1), g, first);
            case WEIGHT -> apply(op, Convolution.Fn.FORWARD, node.inputShape(1), first, g);
        };
    }

    private static Tensor apply(Convolution op, Convolution.Fn result, Shape shape, Tensor first, Tensor second) {
        return Dispatch.apply(op.to(result, shape), first, second);
    }

    /** The gradient of a window's choice goes back to where the choice was. */
    public static Tensor[] maxPool(OpNode node, Tensor g) {
        Shape input = node.inputShape(0);
        Shape lines = Shape.of(input.size(0), input.size(1) * input.size(2));
        Shape chosen = Shape.of(input.size(0), g.size(1) * g.size(2));
        Tensor zeros = Creation.full(States.home(g), lines, g.dtype(), 0);
        Tensor sums = Dispatch.apply(
                new Scatter(Scatter.Fn.ADD, 1), zeros, Gradient.output(node, 1).reshape(chosen), g.reshape(chosen));
        return new Tensor[] {sums.reshape(input)};
    }
}

package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.types.Shape;

/** Convolutions and pooling with the parameters of the primitives; {@code nn.Functional} has PyTorch's functions. */
public final class WindowPrimitives {
    private WindowPrimitives() {}

    /**
     * Returns the convolution of a batch of images.
     *
     * @param input {@code [batch, channels, height, width]}
     * @param weight {@code [outputs, channels / groups, height, width]}, of the input's dtype
     * @return {@code [batch, outputs, height, width]}
     */
    public static Tensor convolution(Tensor input, Tensor weight, Slide rows, Slide columns, int groups) {
        return Dispatch.apply(Convolution.forward(rows, columns, groups), input, weight);
    }

    /**
     * Returns the transpose of {@link #convolution} with the same weight: the gradient of its input.
     *
     * @param images {@code [batch, outputs, height, width]}
     * @param weight {@code [outputs, channels / groups, height, width]}, of the images' dtype
     * @param plane height and width of the result
     * @return {@code [batch, channels, height, width]}
     */
    public static Tensor transposedConvolution(
            Tensor images, Tensor weight, Slide rows, Slide columns, int groups, Shape plane) {
        return Dispatch.apply(new Convolution(Convolution.Fn.INPUT, rows, columns, groups, plane), weight, images);
    }

    /**
     * Returns the largest elements of windows and their row-major indices in the plane. Takes the first one of equal
     * elements; NaN counts as the largest.
     *
     * @param planes {@code [planes, height, width]}
     * @param window height and width
     * @param ceil true if the last windows may extend beyond the end
     */
    public static ValuesAndIndices maxPool(Tensor planes, Shape window, Slide rows, Slide columns, boolean ceil) {
        Tensor[] results = Dispatch.applyAll(new MaxPool(window, rows, columns, ceil), planes);
        return new ValuesAndIndices(results[0], results[1]);
    }
}

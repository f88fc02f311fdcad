package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Visits all triples of elements that a {@link Convolution} combines, and adds the product of two of them to the third. */
final class ConvolutionLoops {
    private final Convolution op;
    private final Array input;
    private final Array weight;
    private final Array output;
    private final Array result;
    private final double[] doubles;
    private final long[] longs;

    private ConvolutionLoops(Convolution op, Array first, Array second, Array result) {
        this.op = op;
        this.input = op.fn() == Convolution.Fn.INPUT ? result : first;
        this.weight = switch (op.fn()) {
            case FORWARD -> second;
            case INPUT -> first;
            case WEIGHT -> result;
        };
        this.output = op.fn() == Convolution.Fn.FORWARD ? result : second;
        this.result = result;
        int elements = (int) result.shape().elements();
        doubles = new double[result.dtype().isFloating() ? elements : 0];
        longs = new long[result.dtype().isFloating() ? 0 : elements];
    }

    static void run(Convolution op, Array first, Array second, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        ConvolutionLoops run = new ConvolutionLoops(op, first, second, result);
        run.meetAll();
        ElementCursor target = ElementCursor.of(result);
        Arrays.stream(run.doubles).forEach(target::put);
        Arrays.stream(run.longs).forEach(target::put);
    }

    private void meetAll() {
        Shape places = output.shape();
        long outputsOfGroup = weight.shape().size(0) / op.groups();
        for (long image = 0; image < places.size(0); image++) {
            for (long out = 0; out < places.size(1); out++) {
                long firstChannel =
                        out / Math.max(outputsOfGroup, 1) * weight.shape().size(1);
                for (long channel = 0; channel < weight.shape().size(1); channel++) {
                    meet(image, out, channel, firstChannel + channel);
                }
            }
        }
    }

    /** Visits one kernel at all its positions. */
    private void meet(long image, long out, long channel, long inputChannel) {
        Shape kernel = weight.shape();
        for (long row = 0; row < output.shape().size(2); row++) {
            for (long column = 0; column < output.shape().size(3); column++) {
                for (long i = 0; i < kernel.size(2); i++) {
                    for (long j = 0; j < kernel.size(3); j++) {
                        long y = place(op.rows(), row, i);
                        long x = place(op.columns(), column, j);
                        if (isWithin(y, input.shape().size(2))
                                && isWithin(x, input.shape().size(3))) {
                            multiply(
                                    new long[] {image, inputChannel, y, x},
                                    new long[] {out, channel, i, j},
                                    new long[] {image, out, row, column});
                        }
                    }
                }
            }
        }
    }

    private static long place(Slide slide, long step, long element) {
        return step * slide.stride() - slide.padding() + element * slide.dilation();
    }

    private static boolean isWithin(long index, long size) {
        return index >= 0 && index < size;
    }

    private void multiply(long[] inputAt, long[] weightAt, long[] outputAt) {
        switch (op.fn()) {
            case FORWARD -> add(outputAt, input, inputAt, weight, weightAt);
            case INPUT -> add(inputAt, weight, weightAt, output, outputAt);
            case WEIGHT -> add(weightAt, input, inputAt, output, outputAt);
        }
    }

    private void add(long[] at, Array left, long[] leftAt, Array right, long[] rightAt) {
        int slot = (int) (position(result, at) - result.layout().offset());
        HeapBuffer leftElements = ElementCursor.heap(left);
        HeapBuffer rightElements = ElementCursor.heap(right);
        int leftPosition = position(left, leftAt);
        int rightPosition = position(right, rightAt);
        if (result.dtype().isFloating()) {
            doubles[slot] += leftElements.getDouble(leftPosition) * rightElements.getDouble(rightPosition);
        } else {
            longs[slot] += leftElements.getLong(leftPosition) * rightElements.getLong(rightPosition);
        }
    }

    private static int position(Array array, long[] index) {
        long position = array.layout().offset();
        for (int dim = 0; dim < index.length; dim++) {
            position += index[dim] * array.layout().stride(dim);
        }
        return (int) position;
    }
}

package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.ops.PadMode;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A layer that adds elements around the last dimensions; the input may have other dimensions before them. */
public abstract class PaddingLayer extends Module {
    private final long[] counts;
    private final BiFunction<Tensor, long[], Tensor> padding;

    /**
     * Creates a layer that adds elements around some dimensions.
     *
     * @param dims the number of these dimensions, from the last one
     * @param counts the numbers before and after each dimension, the last dimension first; one number stands for all
     */
    PaddingLayer(int dims, long[] counts, BiFunction<Tensor, long[], Tensor> padding) {
        if (counts.length != 1 && counts.length != 2 * dims) {
            throw new OpException("pad", "one number or " + 2 * dims + " are needed, got " + Arrays.toString(counts));
        }
        this.counts = counts.length == 1 ? filled(2 * dims, counts[0]) : counts.clone();
        this.padding = padding;
    }

    /** Pads with copies of the input's elements. */
    PaddingLayer(int dims, long[] counts, PadMode mode) {
        this(dims, counts, (input, around) -> input.pad(mode, around));
    }

    PaddingLayer(int dims, long[] counts, double value) {
        this(dims, counts, (input, around) -> input.pad(value, around));
    }

    private static long[] filled(int length, long count) {
        long[] counts = new long[length];
        Arrays.fill(counts, count);
        return counts;
    }

    @Override
    public final Tensor forward(Tensor input) {
        return padding.apply(input, counts);
    }

    @Override
    protected String settings() {
        return Arrays.stream(counts).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}

package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.Arrays;

/**
 * How a kernel moves. Each list has one number for all dimensions or one for each.
 *
 * @param kernel how long the kernel is
 * @param stride by how much it moves
 * @param padding how many zeros there are at each end; of transposed convolutions, how much of the result is cut off there
 * @param outputPadding how much longer the result of a transposed convolution is at its end
 * @param dilation how far the kernel's elements are apart
 * @param groups into how many groups channels are divided
 */
public record ConvolutionSettings(
        long[] kernel, long[] stride, long[] padding, long[] outputPadding, long[] dilation, int groups) {

    /** Stride 1, no padding. */
    public static ConvolutionSettings of(long... kernel) {
        return new ConvolutionSettings(kernel, new long[] {1}, new long[] {0}, new long[] {0}, new long[] {1}, 1);
    }

    /** With another stride. */
    public ConvolutionSettings stride(long... numbers) {
        return new ConvolutionSettings(kernel, numbers, padding, outputPadding, dilation, groups);
    }

    /** With another padding. */
    public ConvolutionSettings padding(long... numbers) {
        return new ConvolutionSettings(kernel, stride, numbers, outputPadding, dilation, groups);
    }

    /** With another output padding. */
    public ConvolutionSettings outputPadding(long... numbers) {
        return new ConvolutionSettings(kernel, stride, padding, numbers, dilation, groups);
    }

    /** With another dilation. */
    public ConvolutionSettings dilation(long... numbers) {
        return new ConvolutionSettings(kernel, stride, padding, outputPadding, numbers, groups);
    }

    /** With another number of groups. */
    public ConvolutionSettings groups(int number) {
        return new ConvolutionSettings(kernel, stride, padding, outputPadding, dilation, number);
    }

    /** With a number for each dimension. */
    ConvolutionSettings of(int dims) {
        return new ConvolutionSettings(
                each(dims, "the kernel", kernel),
                each(dims, "the stride", stride),
                each(dims, "the padding", padding),
                each(dims, "the output padding", outputPadding),
                each(dims, "the dilation", dilation),
                groups);
    }

    private static long[] each(int dims, String name, long[] given) {
        if (given.length != 1 && given.length != dims) {
            throw new OpException(
                    "convolution", name + " must have one number or " + dims + ", got " + Arrays.toString(given));
        }
        long[] each = new long[dims];
        Arrays.setAll(each, dim -> given[given.length == 1 ? 0 : dim]);
        return each;
    }
}

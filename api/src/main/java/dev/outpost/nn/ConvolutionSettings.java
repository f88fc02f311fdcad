package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.Arrays;

/**
 * The settings of a kernel. Each list has one number for all dimensions or one for each.
 *
 * @param kernel the size of the kernel
 * @param stride the distance between the places of the kernel
 * @param padding the number of zeros at each end; for transposed convolutions, the number of elements that are cut off there
 * @param outputPadding the number of elements by which the result of a transposed convolution is longer at its end
 * @param dilation the distance between the kernel's elements
 * @param groups the number of groups of channels
 */
public record ConvolutionSettings(
        long[] kernel, long[] stride, long[] padding, long[] outputPadding, long[] dilation, int groups) {

    /** Returns settings with stride 1 and no padding. */
    public static ConvolutionSettings of(long... kernel) {
        return new ConvolutionSettings(kernel, new long[] {1}, new long[] {0}, new long[] {0}, new long[] {1}, 1);
    }

    /** Returns these settings with another stride. */
    public ConvolutionSettings stride(long... numbers) {
        return new ConvolutionSettings(kernel, numbers, padding, outputPadding, dilation, groups);
    }

    /** Returns these settings with another padding. */
    public ConvolutionSettings padding(long... numbers) {
        return new ConvolutionSettings(kernel, stride, numbers, outputPadding, dilation, groups);
    }

    /** Returns these settings with another output padding. */
    public ConvolutionSettings outputPadding(long... numbers) {
        return new ConvolutionSettings(kernel, stride, padding, numbers, dilation, groups);
    }

    /** Returns these settings with another dilation. */
    public ConvolutionSettings dilation(long... numbers) {
        return new ConvolutionSettings(kernel, stride, padding, outputPadding, numbers, groups);
    }

    /** Returns these settings with another number of groups. */
    public ConvolutionSettings groups(int number) {
        return new ConvolutionSettings(kernel, stride, padding, outputPadding, dilation, number);
    }

    /** Returns these settings with a number for each dimension. */
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

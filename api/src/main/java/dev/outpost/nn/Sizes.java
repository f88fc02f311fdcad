package dev.outpost.nn;

import dev.outpost.protocol.op.Slide;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** A number for each dimension of an image, as PyTorch takes them: one stands for all. */
final class Sizes {
    private Sizes() {}

    /** Of height and width; a line is an image of height 1, whose neutral number is {@code single}. */
    static long[] plane(String op, String name, int dims, long single, long... given) {
        if (given.length != 1 && given.length != dims) {
            throw new OpException(
                    op,
                    name + " needs one number or one for each of " + dims + " dimensions, got "
                            + Arrays.toString(given));
        }
        return new long[] {dims == 1 ? single : given[0], given[given.length - 1]};
    }

    /** One for each dimension. */
    static long[] each(String op, String name, int dims, long... given) {
        if (given.length != 1 && given.length != dims) {
            throw new OpException(
                    op,
                    name + " needs one number or one for each of " + dims + " dimensions, got "
                            + Arrays.toString(given));
        }
        long[] each = new long[dims];
        for (int dim = 0; dim < dims; dim++) {
            each[dim] = given[given.length == 1 ? 0 : dim];
        }
        return each;
    }

    /** How a window moves along one dimension of a plane. */
    static Slide slide(String op, int dim, long[] stride, long[] padding, long[] dilation) {
        return new Slide(small(op, stride[dim]), small(op, padding[dim]), small(op, dilation[dim]));
    }

    private static int small(String op, long number) {
        if (number != (int) number) {
            throw new OpException(op, "strides, paddings and dilations must be below 2^31, got " + number);
        }
        return (int) number;
    }

    static void requireRank(String op, int dims, Shape input) {
        if (input.rank() != dims + 1 && input.rank() != dims + 2) {
            throw new OpException(
                    op,
                    "channels with " + dims + (dims == 1 ? " dimension" : " dimensions")
                            + " are needed, or a batch of them, got " + input);
        }
    }

    /** PyTorch takes an empty batch, and nothing else that is empty. */
    static void requireElements(String op, int dims, Shape input) {
        requireRank(op, dims, input);
        for (int dim = input.rank() - dims - 1; dim < input.rank(); dim++) {
            if (input.size(dim) == 0) {
                throw new OpException(op, "only the batch may be empty, got " + input);
            }
        }
    }
}

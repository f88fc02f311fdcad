package dev.outpost.internal.ops;

import dev.outpost.protocol.op.Slide;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Numbers for each dimension of an image, as in PyTorch: a single number stands for all dimensions. */
public final class Sizes {
    private Sizes() {}

    /**
     * Returns the numbers for height and width. One-dimensional data count as an image of height 1, which gets the number {@code
     * single}.
     */
    public static long[] plane(String op, String name, int dims, long single, long... given) {
        if (given.length != 1 && given.length != dims) {
            throw new OpException(
                    op,
                    name + " needs one number or one for each of " + dims + " dimensions, got "
                            + Arrays.toString(given));
        }
        return new long[] {dims == 1 ? single : given[0], given[given.length - 1]};
    }

    /** Returns one number for each dimension. */
    public static long[] each(String op, String name, int dims, long... given) {
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

    /** Returns stride, padding and dilation of a window along one dimension of a plane. */
    public static Slide slide(String op, int dim, long[] stride, long[] padding, long[] dilation) {
        return new Slide(small(op, stride[dim]), small(op, padding[dim]), small(op, dilation[dim]));
    }

    private static int small(String op, long number) {
        if (number != (int) number) {
            throw new OpException(op, "strides, paddings and dilations must be below 2^31, got " + number);
        }
        return (int) number;
    }

    public static void requireRank(String op, int dims, Shape input) {
        if (input.rank() != dims + 1 && input.rank() != dims + 2) {
            throw new OpException(
                    op,
                    "channels with " + dims + (dims == 1 ? " dimension" : " dimensions")
                            + " are needed, or a batch of them, got " + input);
        }
    }

    /** Throws for empty inputs. As in PyTorch, only the batch may be empty. */
    public static void requireElements(String op, int dims, Shape input) {
        requireRank(op, dims, input);
        for (int dim = input.rank() - dims - 1; dim < input.rank(); dim++) {
            if (input.size(dim) == 0) {
                throw new OpException(op, "only the batch may be empty, got " + input);
            }
        }
    }
}

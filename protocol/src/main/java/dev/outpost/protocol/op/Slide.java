package dev.outpost.protocol.op;

import dev.outpost.types.OpException;

/**
 * The movement of a window along one dimension of an image. All of it is structure.
 *
 * @param stride the distance between neighbouring windows
 * @param padding the number of virtual elements before the first and after the last
 * @param dilation the distance between the elements of one window
 */
public record Slide(int stride, int padding, int dilation) {

    static Slide read(AttributeReader in) {
        return new Slide(
                in.structure().smallInt("stride"),
                in.structure().smallInt("padding"),
                in.structure().smallInt("dilation"));
    }

    void write(AttributeWriter out) {
        out.structure().varint(stride);
        out.structure().varint(padding);
        out.structure().varint(dilation);
    }

    /**
     * Returns the number of windows along the dimension.
     *
     * @param op the beginning of error messages
     * @param size the size of the dimension, below 2^31
     * @param window the number of elements of a window, below 2^31
     * @param ceil true if the last window may reach beyond the end, as long as it begins before it
     */
    public long places(String op, long size, long window, boolean ceil) {
        requireSense(op, window);
        long padded = size + 2L * padding;
        long reach = dilation * (window - 1) + 1;
        long count = Math.floorDiv(padded - reach + (ceil ? stride - 1 : 0), (long) stride) + 1;
        if (ceil && (count - 1) * stride >= size + padding) {
            count--;
        }
        if (count < 1) {
            throw new OpException(op, "the window is larger than the padded input, got " + reach + " and " + padded);
        }
        return count;
    }

    /** Returns the same as {@link #places} for windows that each contain an element of the image. */
    public long poolingPlaces(String op, long size, long window, boolean ceil) {
        requireSense(op, window);
        if (padding > window / 2) {
            throw new OpException(
                    op, "the padding must be at most half of the window, got " + padding + " and " + window);
        }
        if (padding > 0 && dilation > size) {
            throw new OpException(
                    op, "a window may hold nothing but padding, got dilation " + dilation + " and size " + size);
        }
        return places(op, size, window, ceil);
    }

    private void requireSense(String op, long window) {
        if (stride < 1 || dilation < 1 || padding < 0) {
            throw new OpException(
                    op,
                    "stride and dilation must be at least 1 and the padding 0, got " + stride + ", " + dilation
                            + " and " + padding);
        }
        if (window < 1) {
            throw new OpException(op, "the window must hold an element, got " + window);
        }
    }
}

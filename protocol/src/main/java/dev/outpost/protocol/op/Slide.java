package dev.outpost.protocol.op;

import dev.outpost.types.OpException;

/**
 * How a window moves along one dimension of an image. All of it is structure.
 *
 * @param stride how far from one place to the next
 * @param padding how many elements are thought of before the first and behind the last
 * @param dilation how far the elements of one window are apart
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
     * How many places a window has.
     *
     * @param op what errors begin with
     * @param size of the dimension, below 2^31
     * @param window how many elements it takes, below 2^31
     * @param ceil whether the last place may reach over the end, as long as it begins before
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

    /** As {@link #places}, for windows each of which holds an element of the image. */
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

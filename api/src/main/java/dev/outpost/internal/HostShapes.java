package dev.outpost.internal;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** The limits of tensors in the memory of the program. */
public final class HostShapes {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private HostShapes() {}

    /** Returns the bytes of a tensor. Throws if one array cannot hold them. */
    public static int requireHeld(DType dtype, Shape shape) {
        long bytes = bytesOf(dtype, shape);
        if (bytes > MAX_BYTES) {
            throw problem("at most " + MAX_BYTES + " bytes are held on this side, " + dtype + " " + shape + " takes "
                    + bytes);
        }
        return (int) bytes;
    }

    public static long bytesOf(DType dtype, Shape shape) {
        return Math.multiplyExact(shape.elements(), (long) dtype.bytes());
    }

    /** Returns the shape with these sizes. Throws if its number of elements differs. */
    public static Shape shapeFor(int elements, long... sizes) {
        Shape shape = ArgumentChecks.shape(sizes);
        if (shape.elements() != elements) {
            throw problem("the shape " + shape + " takes " + shape.elements() + " values, got " + elements);
        }
        return shape;
    }

    private static OpException problem(String sentence) {
        return new OpException("HostTensor.of", sentence);
    }
}

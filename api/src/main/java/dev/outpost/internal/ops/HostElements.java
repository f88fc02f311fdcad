package dev.outpost.internal.ops;

import dev.outpost.internal.HostShapes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/**
 * Elements in the memory of the program.
 *
 * @param bytes row-major and little-endian; not copied
 */
public record HostElements(DType dtype, Shape shape, byte[] bytes) {

    /** Takes the given indices of one dimension, in their order. */
    public HostElements take(int dim, long... indices) {
        long[] sizes = shape.toArray();
        checkIndices(indices, sizes[dim]);
        long outer = product(sizes, 0, dim);
        int blockBytes = Math.toIntExact(product(sizes, dim + 1, sizes.length) * dtype.bytes());
        long sourceRow = sizes[dim] * blockBytes;
        sizes[dim] = indices.length;
        Shape taken = Shape.of(sizes);
        byte[] result = new byte[HostShapes.requireHeld(dtype, taken)];
        int at = 0;
        for (long row = 0; row < outer; row++) {
            for (long index : indices) {
                int from = (int) (row * sourceRow + index * blockBytes);
                System.arraycopy(bytes, from, result, at, blockBytes);
                at += blockBytes;
            }
        }
        return new HostElements(dtype, taken, result);
    }

    /** Returns the element at a row-major index. */
    public double getDouble(int index) {
        return ElementBytes.readDouble(dtype, bytes, index);
    }

    /** Returns the whole number at a row-major index. */
    public long getLong(int index) {
        return ElementBytes.readLong(dtype, bytes, index);
    }

    public int count() {
        return (int) shape.elements();
    }

    private static void checkIndices(long[] indices, long size) {
        for (long index : indices) {
            if (index < 0 || index >= size) {
                throw new OpException(
                        "HostTensor.rows", "the index is out of bounds for " + size + " rows, got " + index);
            }
        }
    }

    private static long product(long[] sizes, int from, int to) {
        long product = 1;
        for (int dim = from; dim < to; dim++) {
            product *= sizes[dim];
        }
        return product;
    }
}

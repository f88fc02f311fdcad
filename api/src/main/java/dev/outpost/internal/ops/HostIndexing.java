package dev.outpost.internal.ops;

import dev.outpost.HostTensor;
import dev.outpost.internal.HostShapes;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Selection of elements on this side. */
public final class HostIndexing {
    private HostIndexing() {}

    /** The given indices of one dimension, in that order. */
    public static HostTensor take(HostTensor source, int dim, long... indices) {
        long[] sizes = source.shape().toArray();
        checkIndices(indices, sizes[dim]);
        long outer = product(sizes, 0, dim);
        int blockBytes = Math.toIntExact(
                product(sizes, dim + 1, sizes.length) * source.dtype().bytes());
        long sourceRow = sizes[dim] * blockBytes;
        sizes[dim] = indices.length;
        Shape shape = Shape.of(sizes);
        HostTensor result = HostTensor.ofBytes(source.dtype(), shape, new byte[HostShapes.requireHeld(source.dtype(), shape)]);
        int at = 0;
        for (long row = 0; row < outer; row++) {
            for (long index : indices) {
                int from = (int) (row * sourceRow + index * blockBytes);
                System.arraycopy(source.bytes(), from, result.bytes(), at, blockBytes);
                at += blockBytes;
            }
        }
        return result;
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

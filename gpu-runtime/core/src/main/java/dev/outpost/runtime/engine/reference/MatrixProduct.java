package dev.outpost.runtime.engine.reference;

import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Shape;

/** {@code out[b][i][j]} is the sum over k of {@code left[b][i][k] * right[b][k][j]}, in double or in long. B may be absent. */
final class MatrixProduct {
    private MatrixProduct() {}

    static void matmul(Array left, Array right, Array out) {
        if (out.shape().rank() == 2) {
            matmul(batchOfOne(left), batchOfOne(right), batchOfOne(out));
            return;
        }
        Shape shape = out.shape();
        ElementCursor target = ElementCursor.of(out);
        long batches = shape.isEmpty() ? 0 : shape.size(0);
        for (long batch = 0; batch < batches; batch++) {
            for (long row = 0; row < shape.size(1); row++) {
                for (long column = 0; column < shape.size(2); column++) {
                    putProduct(vector(left, batch, 1, row), vector(right, batch, 2, column), target);
                }
            }
        }
    }

    private static Array batchOfOne(Array matrix) {
        return new Array(matrix.buffer(), matrix.layout().unsqueeze(0));
    }

    /** Returns a row ({@code dim} 1) or a column ({@code dim} 2) of one of the matrices. */
    private static Array vector(Array matrices, long batch, int dim, long index) {
        return new Array(matrices.buffer(), matrices.layout().select(dim, index).select(0, batch));
    }

    private static void putProduct(Array row, Array column, ElementCursor target) {
        if (row.dtype().isFloating()) {
            target.put(dotOfDoubles(row, column));
        } else {
            target.put(dotOfLongs(row, column));
        }
    }

    private static double dotOfDoubles(Array row, Array column) {
        ElementCursor left = ElementCursor.of(row);
        ElementCursor right = ElementCursor.of(column);
        double sum = 0;
        for (long count = row.shape().elements(); count > 0; count--) {
            sum += left.nextDouble() * right.nextDouble();
        }
        return sum;
    }

    private static long dotOfLongs(Array row, Array column) {
        ElementCursor left = ElementCursor.of(row);
        ElementCursor right = ElementCursor.of(column);
        long sum = 0;
        for (long count = row.shape().elements(); count > 0; count--) {
            sum += left.nextLong() * right.nextLong();
        }
        return sum;
    }
}

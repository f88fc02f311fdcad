package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Tensors that are treated as matrices by merging dimensions. */
public final class MatrixTensors {
    private MatrixTensors() {}

    /** Computes the inverse of a tensor whose first {@code count} dimensions are the rows and whose other dimensions are the columns. */
    public static Tensor inverse(Tensor tensor, int count) {
        if (count < 1 || count >= Math.max(tensor.dim(), 1)) {
            throw new OpException(
                    "tensorinv", "must keep a dimension on each side, got " + count + " of " + tensor.shape());
        }
        long[] sizes = tensor.shape().toArray();
        long[] rows = Arrays.copyOf(sizes, count);
        long[] columns = Arrays.copyOfRange(sizes, count, sizes.length);
        requireSquare("tensorinv", tensor, rows, columns);
        long side = Shape.of(rows).elements();
        long[] turned = Arrays.copyOf(columns, sizes.length);
        System.arraycopy(rows, 0, turned, columns.length, count);
        return Linalg.inv(tensor.reshape(side, side)).reshape(turned);
    }

    /** Solves for the x whose product with the last dimensions is b. Moves {@code dims} to the end first. */
    public static Tensor solve(Tensor tensor, Tensor b, int... dims) {
        int[] ends = new int[dims.length];
        Arrays.setAll(ends, place -> tensor.dim() - dims.length + place);
        Tensor moved = dims.length == 0 ? tensor : tensor.movedim(dims, ends);
        if (b.dim() > moved.dim()) {
            throw new OpException(
                    "tensorsolve", "b must not have more dimensions, got " + tensor.shape() + " and " + b.shape());
        }
        long[] sizes = moved.shape().toArray();
        long[] columns = Arrays.copyOfRange(sizes, b.dim(), sizes.length);
        requireSquare("tensorsolve", tensor, b.shape().toArray(), columns);
        long side = b.numel();
        return Linalg.solve(moved.reshape(side, side), b.reshape(side)).reshape(columns);
    }

    private static void requireSquare(String op, Tensor tensor, long[] rows, long[] columns) {
        if (Shape.of(rows).elements() != Shape.of(columns).elements()) {
            throw new OpException(
                    op,
                    "must be a square matrix, got " + Arrays.toString(rows) + " by " + Arrays.toString(columns) + " of "
                            + tensor.shape());
        }
    }
}

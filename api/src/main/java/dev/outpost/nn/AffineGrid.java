package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** Computes the grid of an affine map over images or volumes, in the form that {@link GridSampling} reads. */
final class AffineGrid {
    private static final String OP = "affine_grid";

    private AffineGrid() {}

    static Tensor of(Tensor theta, long[] size, boolean alignsCorners) {
        int dims = size.length - 2;
        if (dims != 2 && dims != 3 || theta.dim() != 3) {
            throw new OpException(
                    OP,
                    "matrices and a size of 4 or 5 dimensions are needed, got " + theta.shape() + " and "
                            + Arrays.toString(size));
        }
        if (theta.size(0) != size[0] || theta.size(1) != dims || theta.size(2) != dims + 1) {
            throw new OpException(
                    OP,
                    "each of the batch needs a matrix of [" + dims + ", " + (dims + 1) + "], got " + theta.shape()
                            + " and " + Arrays.toString(size));
        }
        long[] plane = Arrays.copyOfRange(size, 2, size.length);
        int places = Math.toIntExact(Arrays.stream(plane).reduce(1, Math::multiplyExact));
        float[] base = new float[places * (dims + 1)];
        for (int place = 0; place < places; place++) {
            long rest = place;
            for (int dim = dims - 1; dim >= 0; dim--) {
                base[place * (dims + 1) + dims - 1 - dim] = coordinate(rest % plane[dim], plane[dim], alignsCorners);
                rest /= plane[dim];
            }
            base[place * (dims + 1) + dims] = 1;
        }
        Tensor grid = theta.machine().tensor(base, places, dims + 1).to(theta.dtype());
        return grid.matmul(theta.mT()).unflatten(1, plane);
    }

    private static float coordinate(long index, long size, boolean alignsCorners) {
        if (size <= 1) {
            return 0;
        }
        float aligned = (float) (2.0 * index / (size - 1) - 1);
        return alignsCorners ? aligned : aligned * (size - 1) / size;
    }
}

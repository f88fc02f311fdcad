package dev.outpost.internal.linalg;

import dev.outpost.Tensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Norms of matrices, which may be in any two dimensions. */
public final class MatrixNorms {
    private MatrixNorms() {}

    /** Computes a norm: orders ∞ and 1 from the sums of rows and columns, 2 from singular values. Negative orders take the smallest. */
    public static Tensor norm(Tensor tensor, double order, int rows, int columns, boolean keepDim) {
        requireTwo(tensor, rows, columns, Math.abs(order) != 2);
        int across = Shape.normalizeDim("matrix_norm", order == 1 || order == -1 ? rows : columns, tensor.dim());
        int along = Shape.normalizeDim("matrix_norm", order == 1 || order == -1 ? columns : rows, tensor.dim());
        if (Double.isInfinite(order) || Math.abs(order) == 1) {
            Tensor sums = tensor.abs().sum(across, true);
            Tensor result = order > 0 ? sums.amax(along, true) : sums.amin(along, true);
            return keepDim ? result : result.squeeze(across, along);
        }
        if (Math.abs(order) != 2) {
            throw new OpException(
                    "matrix_norm", "order must be 1, 2 or infinity, or less than 0 for the smallest, got " + order);
        }
        Tensor values = values(tensor, rows, columns);
        return shaped(tensor, order > 0 ? values.amax(-1) : values.amin(-1), rows, columns, keepDim);
    }

    /** Computes the sum of the singular values. */
    public static Tensor nuclear(Tensor tensor, int rows, int columns, boolean keepDim) {
        requireTwo(tensor, rows, columns, false);
        return shaped(tensor, values(tensor, rows, columns).sum(-1), rows, columns, keepDim);
    }

    /** @param isOfSums true if the norm uses sums, which support 16-bit floats; singular values do not */
    private static void requireTwo(Tensor tensor, int rows, int columns, boolean isOfSums) {
        if (!isOfSums || tensor.dim() < 2 || !tensor.dtype().isFloating()) {
            LinearSystems.requireMatrices("matrix_norm", tensor);
        }
        int first = Shape.normalizeDim("matrix_norm", rows, tensor.dim());
        if (first == Shape.normalizeDim("matrix_norm", columns, tensor.dim())) {
            throw new OpException("matrix_norm", "two dimensions are needed, got " + rows + " and " + columns);
        }
    }

    private static Tensor values(Tensor tensor, int rows, int columns) {
        return Linalg.svdvals(tensor.movedim(new int[] {rows, columns}, new int[] {-2, -1}));
    }

    private static Tensor shaped(Tensor tensor, Tensor norms, int rows, int columns, boolean keepDim) {
        if (!keepDim) {
            return norms;
        }
        int first = Shape.normalizeDim("matrix_norm", rows, tensor.dim());
        int second = Shape.normalizeDim("matrix_norm", columns, tensor.dim());
        return norms.unsqueeze(Math.min(first, second)).unsqueeze(Math.max(first, second));
    }

    /** Computes the condition number for one of these norms. */
    public static Tensor condition(Tensor matrices, double order) {
        LinearSystems.requireMatrices("cond", matrices);
        if (Math.abs(order) == 2) {
            Tensor values = Linalg.svdvals(matrices);
            Tensor largest = values.amax(-1);
            Tensor smallest = values.amin(-1);
            return order > 0 ? largest.div(smallest) : smallest.div(largest);
        }
        Tensor inverse =
                Linalg.invEx(LinearSystems.requireSquare("cond", matrices)).result();
        return norm(matrices, order, -2, -1, false).mul(norm(inverse, order, -2, -1, false));
    }
}

package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.FoldedMatrix;
import dev.outpost.runtime.engine.ReductionShape;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/**
 * A matrix that fused instructions compute row by row, see {@link dev.outpost.runtime.engine.FusedRows}.
 *
 * @param rows the number of rows
 * @param columns the number of elements in a row
 * @param isCut true if a row is a part of a dimension, as in a {@link ReductionShape}
 */
record RowMatrix(long rows, long columns, boolean isCut) {
    /**
     * The number of rows that keeps enough threads busy. A matrix with fewer rows is used only if one thread can
     * compute all elements.
     */
    private static final long MIN_ROWS = 16;

    private static final long FEW_ELEMENTS = 1 << 14;

    /**
     * Returns the matrix whose rows or columns a reduction folds: the last or first dimensions, or all of it. Returns
     * null if it folds other dimensions, or if computing this matrix by rows is slower.
     */
    static RowMatrix of(Reduce op, Shape operand) {
        ReductionShape total = ReductionShape.of(op, operand);
        return total == null ? ofDimensions(op, operand) : new RowMatrix(total.rows(), total.columns(), total.isCut());
    }

    private static RowMatrix ofDimensions(Reduce op, Shape operand) {
        FoldedMatrix matrix = FoldedMatrix.of(op, operand);
        return matrix != null && (matrix.rows() >= MIN_ROWS || matrix.rows() * matrix.columns() <= FEW_ELEMENTS)
                ? new RowMatrix(matrix.rows(), matrix.columns(), false)
                : null;
    }

    /** Returns true if a value has one element for each element of the matrix, and its dimensions divide into rows. */
    boolean isWide(Shape shape) {
        return shape.elements() == rows * columns && (isCut || firstColumnDim(shape) >= 0);
    }

    /** Returns true if the op finds the index of one element in each row. */
    boolean isOfRows(ArgReduce op, Shape operand) {
        return !isCut && isWide(operand) && op.axis() == operand.rank() - 1 && operand.size(op.axis()) == columns;
    }

    /** Returns true if a value has one element for each row. */
    boolean isNarrow(Shape shape) {
        return shape.elements() == rows;
    }

    /**
     * Returns true if the operands of an instruction can be read along the rows without a copy. If rows begin within a
     * dimension, only single numbers can be broadcast.
     */
    boolean takes(Instruction instruction) {
        long elements = instruction.resultType(0).shape().elements();
        for (int position = 0; isCut && position < instruction.operandCount(); position++) {
            long own = instruction.operandType(position).shape().elements();
            if (own != 1 && own != elements) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if the operand has one number for each element of the result, or one number for each row, which is
     * broadcast along the row.
     */
    boolean isAligned(Shape operand, Shape result) {
        if (operand.elements() == result.elements()) {
            return true;
        }
        int split = firstColumnDim(result);
        if (!isNarrow(operand) || split < 0) {
            return false;
        }
        for (int dim = 0; dim < result.rank(); dim++) {
            int own = dim - (result.rank() - operand.rank());
            long size = own < 0 ? 1 : operand.size(own);
            if (size != (dim < split ? result.size(dim) : 1)) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if a view of one number for each row repeats these numbers in order, each once or along its row. */
    boolean isAligned(AsStrided view) {
        Layout layout = view.layout();
        if (isNarrow(layout.shape())) {
            return layout.isContiguous();
        }
        Layout matrix = isWide(layout.shape()) ? layout.viewAs(Shape.of(rows, columns)) : null;
        return matrix != null && matrix.stride(1) == 0 && (rows == 1 || matrix.stride(0) == 1);
    }

    /** Returns the first dimension that belongs to a row; below 0 if rows end within a dimension. */
    private int firstColumnDim(Shape shape) {
        long size = 1;
        int dim = shape.rank();
        while (dim > 0 && size < columns) {
            size *= shape.size(--dim);
        }
        return size == columns ? dim : -1;
    }
}

package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.Shape;

/**
 * The matrix whose rows or columns a reduction folds. It consists of the operand's last or first dimensions.
 *
 * @param rows the number of rows
 * @param columns the number of elements in a row
 */
public record FoldedMatrix(long rows, long columns) {
    /**
     * Returns the matrix of a reduction; null if it folds neither rows nor columns, or if the matrix is too small or
     * too large for a row kernel.
     */
    public static FoldedMatrix of(Reduce op, Shape operand) {
        boolean foldsColumns = FusedRows.foldsColumns(op, operand);
        long columns = 1;
        long rows = 1;
        for (int dim = operand.rank() - 1; dim >= 0; dim--) {
            long size = operand.size(dim);
            boolean isOfRow = op.axes().contains(dim) != foldsColumns;
            if (isOfRow && rows != 1 && size != 1) {
                return null;
            }
            columns *= isOfRow ? size : 1;
            rows *= isOfRow ? 1 : size;
        }
        boolean isWithinBounds =
                columns >= 2 && columns <= FusedRows.MAX_COLUMNS && rows <= FusedRows.MAX_ELEMENTS / columns;
        return rows >= (foldsColumns ? 2 : 1) && isWithinBounds ? new FoldedMatrix(rows, columns) : null;
    }
}

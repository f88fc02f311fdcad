package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.Shape;

/**
 * The matrix whose elements are folded into one number: first each row is folded, then the results of the rows. It
 * depends only on the shape, so the bits do not depend on the other instructions of the kernel. If possible, the rows
 * are the last dimensions, because operands broadcast along them.
 *
 * @param isCut true if a row is a part of a dimension
 */
public record ReductionShape(int rows, int columns, boolean isCut) {
    /** The number of elements up to which all elements form one row. */
    private static final long FEW_ELEMENTS = 1 << 14;

    /** The number of rows that occupies enough threads. */
    private static final long MIN_ROWS = 16;

    private static final long MAX_ROWS = 1 << 16;
    private static final long MIN_COLUMNS = 128;
    /** The preferred number of elements in a row that may be cut anywhere. A few tiles of this size fit the nearest cache. */
    private static final long CUT_COLUMNS = 4096;

    /**
     * Returns null if the reduction leaves more than one number, if it has few elements, or if its elements cannot be divided into such
     * rows.
     */
    public static ReductionShape of(Reduce op, Shape operand) {
        long elements = operand.elements();
        if (elements <= FEW_ELEMENTS || elements > FusedRows.MAX_ELEMENTS || !foldsAll(op, operand)) {
            return null;
        }
        long min = Math.max(MIN_COLUMNS, Math.ceilDiv(elements, MAX_ROWS));
        long inner = 1;
        int dim = operand.rank() - 1;
        while (inner * operand.size(dim) < min) {
            inner *= operand.size(dim--);
        }
        long whole = inner * operand.size(dim);
        return whole <= FusedRows.MAX_COLUMNS && elements / whole >= MIN_ROWS
                ? new ReductionShape((int) (elements / whole), (int) whole, false)
                : cut(inner, operand.size(dim), elements, min);
    }

    private static boolean foldsAll(Reduce op, Shape operand) {
        for (int dim = 0; dim < operand.rank(); dim++) {
            if (operand.size(dim) != 1 && !op.axes().contains(dim)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the longest part of a dimension that divides it. */
    private static ReductionShape cut(long inner, long size, long elements, long min) {
        long max = Math.min(Math.max(CUT_COLUMNS, 2 * min), elements / MIN_ROWS);
        for (long part = max / inner; part * inner >= min; part--) {
            if (size % part == 0) {
                return new ReductionShape((int) (elements / (part * inner)), (int) (part * inner), true);
            }
        }
        return null;
    }
}

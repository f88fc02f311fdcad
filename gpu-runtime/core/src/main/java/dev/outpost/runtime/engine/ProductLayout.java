package dev.outpost.runtime.engine;

import dev.outpost.types.Layout;

/** How the operands of a matrix product lie, {@code [rows, columns]} or {@code [batch, rows, columns]}: one is a batch of one. */
public final class ProductLayout {
    private ProductLayout() {}

    /** How many there are. */
    public static long count(Layout matrices) {
        return matrices.rank() == 2 ? 1 : matrices.shape().size(0);
    }

    public static long rows(Layout matrices) {
        return matrices.shape().size(matrices.rank() - 2);
    }

    public static long columns(Layout matrices) {
        return matrices.shape().size(matrices.rank() - 1);
    }

    /** From one matrix to the next. */
    public static long stride(Layout matrices) {
        return matrices.rank() == 2 ? 0 : matrices.stride(0);
    }

    /** From one row to the next. */
    public static long down(Layout matrices) {
        return matrices.stride(matrices.rank() - 2);
    }

    /** From one column to the next. */
    public static long across(Layout matrices) {
        return matrices.stride(matrices.rank() - 1);
    }
}

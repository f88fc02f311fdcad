package dev.outpost.runtime.engine;

import dev.outpost.types.Layout;

/** Layouts of the operands of a matrix product: {@code [rows, columns]}, which is a batch of one, or {@code [batch, rows, columns]}. */
public final class ProductLayout {
    private ProductLayout() {}

    /** Returns the number of matrices. */
    public static long count(Layout matrices) {
        return matrices.rank() == 2 ? 1 : matrices.shape().size(0);
    }

    public static long rows(Layout matrices) {
        return matrices.shape().size(matrices.rank() - 2);
    }

    public static long columns(Layout matrices) {
        return matrices.shape().size(matrices.rank() - 1);
    }

    /** Returns the distance from one matrix to the next, in elements. */
    public static long stride(Layout matrices) {
        return matrices.rank() == 2 ? 0 : matrices.stride(0);
    }

    /** Returns the distance from one row to the next, in elements. */
    public static long down(Layout matrices) {
        return matrices.stride(matrices.rank() - 2);
    }

    /** Returns the distance from one column to the next, in elements. */
    public static long across(Layout matrices) {
        return matrices.stride(matrices.rank() - 1);
    }
}

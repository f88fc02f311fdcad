package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.ProductLayout;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import java.lang.foreign.MemorySegment;

/**
 * A matrix within a Java array, in the way that a BLAS takes it: rows, or with {@code transposed} columns, lie without
 * gaps and {@code leading} elements apart.
 */
public record Matrix(Object elements, int offset, boolean transposed, int leading) {

    /** Whether a matrix, or every one of a batch {@code [batch, rows, columns]}, can be said so. */
    public static boolean fits(Layout batch) {
        return isRows(batch) || isColumns(batch);
    }

    /** A matrix of a batch that {@link #fits}. */
    public static Matrix of(Array batch, int number) {
        return firstOf(batch).from(number * ProductLayout.stride(batch.layout()));
    }

    /** The first matrix of a batch that {@link #fits}. */
    static Matrix firstOf(Array batch) {
        Layout layout = batch.layout();
        boolean transposed = !isRows(layout);
        long rows = ProductLayout.rows(layout);
        long columns = ProductLayout.columns(layout);
        long leading = transposed
                ? leading(columns, ProductLayout.across(layout), rows)
                : leading(rows, ProductLayout.down(layout), columns);
        return new Matrix(Elementwise.javaArray(batch), (int) layout.offset(), transposed, (int) leading);
    }

    private static boolean isRows(Layout batch) {
        return batch.isContiguous()
                || lie(
                        ProductLayout.rows(batch),
                        ProductLayout.down(batch),
                        ProductLayout.columns(batch),
                        ProductLayout.across(batch));
    }

    private static boolean isColumns(Layout batch) {
        return lie(
                ProductLayout.columns(batch),
                ProductLayout.across(batch),
                ProductLayout.rows(batch),
                ProductLayout.down(batch));
    }

    /** Whether lines lie one behind the other, each without gaps. */
    private static boolean lie(long lines, long apart, long length, long step) {
        boolean dense = length == 1 || step == 1;
        return dense && (lines == 1 || apart >= Math.max(length, 1));
    }

    /** A single line is as far from the next as may be. */
    private static long leading(long lines, long apart, long length) {
        return Math.max(lines == 1 ? 1 : apart, length);
    }

    /** A float array from its first element on. */
    MemorySegment floats() {
        return MemorySegment.ofArray((float[]) elements).asSlice(4L * offset);
    }

    /** A double array from its first element on. */
    MemorySegment doubles() {
        return MemorySegment.ofArray((double[]) elements).asSlice(8L * offset);
    }

    /** With rows and columns exchanged. */
    public Matrix exchanged() {
        return new Matrix(elements, offset, !transposed, leading);
    }

    /** So many elements further on. */
    public Matrix from(long elements) {
        return new Matrix(this.elements, (int) (offset + elements), transposed, leading);
    }

    /** From the given row and column on. */
    public Matrix from(int row, int column) {
        int moved = transposed ? column * leading + row : row * leading + column;
        return new Matrix(elements, offset + moved, transposed, leading);
    }
}

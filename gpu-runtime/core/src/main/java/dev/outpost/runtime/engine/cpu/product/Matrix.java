package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.ProductLayout;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import java.lang.foreign.MemorySegment;

/**
 * A matrix within a Java array, in the form that a BLAS accepts. The elements of each row are consecutive, and rows are {@code leading}
 * elements apart. If {@code transposed}, this holds for columns.
 */
public record Matrix(Object elements, int offset, boolean transposed, int leading) {

    /** Returns true if a matrix, or every matrix of a batch {@code [batch, rows, columns]}, can be described in this form. */
    public static boolean fits(Layout batch) {
        return isRows(batch) || isColumns(batch);
    }

    /** Returns a matrix of a batch that {@link #fits}. */
    public static Matrix of(Array batch, int number) {
        return firstOf(batch).from(number * ProductLayout.stride(batch.layout()));
    }

    /** Returns the first matrix of a batch that {@link #fits}. */
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

    /** Returns true if the elements of each line are consecutive and the lines do not overlap. */
    private static boolean lie(long lines, long apart, long length, long step) {
        boolean dense = length == 1 || step == 1;
        return dense && (lines == 1 || apart >= Math.max(length, 1));
    }

    /** Returns the distance between lines. For a single line it is the smallest allowed number. */
    private static long leading(long lines, long apart, long length) {
        return Math.max(lines == 1 ? 1 : apart, length);
    }

    /** Returns the float array from the first element of the matrix on. */
    MemorySegment floats() {
        return MemorySegment.ofArray((float[]) elements).asSlice(4L * offset);
    }

    /** Returns the double array from the first element of the matrix on. */
    MemorySegment doubles() {
        return MemorySegment.ofArray((double[]) elements).asSlice(8L * offset);
    }

    /** Returns the transposed matrix. */
    public Matrix exchanged() {
        return new Matrix(elements, offset, !transposed, leading);
    }

    /** Returns the matrix that begins that number of elements later. */
    public Matrix from(long elements) {
        return new Matrix(this.elements, (int) (offset + elements), transposed, leading);
    }

    /** Returns the part of the matrix from the given row and column on. */
    public Matrix from(int row, int column) {
        int moved = transposed ? column * leading + row : row * leading + column;
        return new Matrix(elements, offset + moved, transposed, leading);
    }
}

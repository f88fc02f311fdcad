package dev.outpost.runtime.cuda.device;

import dev.outpost.types.DType;

/** Products of matrices by a library, appended to a GPU's queue. Used by one thread at a time. */
public interface Multiplier extends AutoCloseable {
    /**
     * A batch of products, {@code [batch, m, k] x [batch, k, n] -> [batch, m, n]}, with a dense result.
     *
     * @param dtype float32, float16 or bfloat16
     */
    record Product(DType dtype, long batch, long m, long n, long k, Factor left, Factor right) {}

    /**
     * The layout of an operand's matrices, in elements.
     *
     * @param transposed true if columns, rather than rows, are contiguous
     * @param leading the distance from one row, or column, to the next
     * @param distance the distance from one matrix to the next; 0 if all are the same
     */
    record Factor(boolean transposed, long leading, long distance) {}

    boolean multiplies(DType dtype);

    /** Appends a product of the matrices at these addresses. */
    public void multiply(Product product, long left, long right, long result);

    @Override
    void close();
}

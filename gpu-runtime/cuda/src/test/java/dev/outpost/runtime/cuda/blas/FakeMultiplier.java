package dev.outpost.runtime.cuda.blas;

import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.types.DType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Products of float32 matrices with the engine's calls to cuBLASLt, computed by a library in Java. */
public final class FakeMultiplier implements Multiplier {
    private static final Alignments ANY = new Alignments(4, 4, 4);

    private final CublasLt library;
    private final Consumer<Runnable> queue;
    private int products;

    /** @param queue the queue to which work is appended */
    public FakeMultiplier(Consumer<Runnable> queue) throws ReflectiveOperationException {
        library = new CublasLt(new ColumnMajorCublasLt().library());
        this.queue = queue;
    }

    public int products() {
        return products;
    }

    @Override
    public boolean multiplies(DType dtype) {
        return dtype == DType.FLOAT32;
    }

    @Override
    public void multiply(Product product, long left, long right, long result) {
        products++;
        queue.accept(() -> multiplyNow(product, left, right, result));
    }

    private void multiplyNow(Product product, long left, long right, long result) {
        BatchProduct.Start start = new BatchProduct.Start(MemorySegment.NULL, 0, false);
        try (BatchProduct plan = new BatchProduct(library, start, product, ANY)) {
            CublasLt.Operands matrices = new CublasLt.Operands(
                    MemorySegment.ofAddress(right), MemorySegment.ofAddress(left), MemorySegment.ofAddress(result));
            library.multiply(MemorySegment.NULL, plan.plan(), matrices, MemorySegment.NULL, 0, MemorySegment.NULL);
        }
    }

    @Override
    public void close() {
        // There is nothing to release.
    }
}

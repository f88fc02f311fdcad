package dev.outpost.runtime.cuda.blas;

import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.driver.CudaContext;
import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.types.DType;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/** Products by cuBLASLt in one stream. The algorithm of each kind of product is chosen once. The least recently used ones are evicted. */
public final class CublasLtMultiplier implements Multiplier {
    private static final int MAX_PLANS = 1024;

    /** The alignment that cuBLASLt assumes by default. It makes no difference between this alignment and a larger one. */
    private static final long FULL_ALIGNMENT = 256;

    private record Key(Product product, Alignments alignments) {}

    private final CudaContext context;
    private final CudaStream stream;
    private final MatrixMultiplier multiplier;
    private final BatchProduct.Start start;
    private final Map<Key, BatchProduct> plans = new LinkedHashMap<>(64, 0.75f, true);

    /** @param shortProducts true if products of float32 may round their operands to 10 bits */
    public CublasLtMultiplier(CublasLt library, CudaContext context, CudaStream stream, boolean shortProducts) {
        this.context = context;
        this.stream = stream;
        context.makeCurrent();
        multiplier = new MatrixMultiplier(library);
        start = new BatchProduct.Start(multiplier.handle(), multiplier.workspaceBytes(), shortProducts);
    }

    @Override
    public boolean multiplies(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
    }

    static MatrixType type(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> MatrixType.FLOAT32;
            case FLOAT16 -> MatrixType.FLOAT16;
            case BFLOAT16 -> MatrixType.BFLOAT16;
            case FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL ->
                throw new IllegalArgumentException("cuBLASLt: no product of " + dtype + " is planned");
        };
    }

    @Override
    public void multiply(Product product, long left, long right, long result) {
        context.makeCurrent();
        Key key = new Key(product, new Alignments(alignment(right), alignment(left), alignment(result)));
        BatchProduct plan = plans.computeIfAbsent(
                key, fresh -> new BatchProduct(multiplier.library(), start, product, fresh.alignments));
        CublasLt.Operands matrices = new CublasLt.Operands(
                MemorySegment.ofAddress(right), MemorySegment.ofAddress(left), MemorySegment.ofAddress(result));
        multiplier.run(plan.plan(), matrices, stream);
        forgetOldest();
    }

    private static long alignment(long address) {
        return Math.min(FULL_ALIGNMENT, Long.lowestOneBit(address));
    }

    /** Evicts the oldest plan. Its memory is host memory that the library has copied, so running products do not need it. */
    private void forgetOldest() {
        if (plans.size() > MAX_PLANS) {
            var eldest = plans.values().iterator();
            eldest.next().close();
            eldest.remove();
        }
    }

    @Override
    public void close() {
        context.makeCurrent();
        plans.values().forEach(BatchProduct::close);
        plans.clear();
        multiplier.close();
    }
}

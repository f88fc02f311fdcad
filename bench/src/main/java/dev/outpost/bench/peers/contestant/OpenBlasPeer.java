package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/** The library that the CPU engine uses for products, called directly on native memory, with all its threads. */
public final class OpenBlasPeer implements Contestant {
    private final int size;
    private final FloatPointer left;
    private final FloatPointer right;
    private final FloatPointer product;
    private final Deque<List<HostTensor>> loaded = new ArrayDeque<>();

    public OpenBlasPeer(int size) {
        this.size = size;
        long elements = (long) size * size;
        left = new FloatPointer(elements);
        right = new FloatPointer(elements);
        product = new FloatPointer(elements);
    }

    @Override
    public String name() {
        return "openblas";
    }

    @Override
    public void load(List<List<HostTensor>> steps) {
        loaded.add(steps.getFirst());
    }

    @Override
    public double run() {
        List<HostTensor> factors = loaded.remove();
        left.put(factors.get(0).toFloatArray());
        right.put(factors.get(1).toFloatArray());
        long start = System.nanoTime();
        openblas_nolapack.cblas_sgemm(
                openblas_nolapack.CblasRowMajor,
                openblas_nolapack.CblasNoTrans,
                openblas_nolapack.CblasNoTrans,
                size,
                size,
                size,
                1,
                left,
                size,
                right,
                size,
                0,
                product,
                size);
        return (System.nanoTime() - start) / 1e6;
    }

    @Override
    public float[] results() {
        float[] results = new float[size * size];
        product.get(results);
        return results;
    }

    /** Does nothing, because the memory is reused. */
    @Override
    public void clear() {}

    @Override
    public void close() {
        left.close();
        right.close();
        product.close();
    }
}

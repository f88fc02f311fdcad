package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.List;

/** A program of many large products, whose result is 1 everywhere after any number of runs. */
final class HeavyWork implements AutoCloseable {
    private static final int PRODUCTS = 32;

    private final GpuWorkload gpuWorkload;

    HeavyWork(RemoteMachine machine, WorkSizes sizes) {
        long size = sizes.largeMatrix();
        gpuWorkload = GpuWorkload.of(
                machine,
                in -> {
                    Tensor result = in.get(0);
                    for (int product = 0; product < PRODUCTS; product++) {
                        result = result.matmul(in.get(1));
                    }
                    return List.of(result);
                },
                machine.ones(DType.BFLOAT16, size, size),
                machine.eye(size, size, DType.BFLOAT16));
    }

    void step() {
        gpuWorkload.step();
    }

    /** Waits for a result, and returns the sum of its first row. */
    double read() {
        try (Tensor result = gpuWorkload
                .program()
                .call(gpuWorkload.inputs().toArray(Tensor[]::new))
                .getFirst()) {
            return result.select(0, 0).to(DType.FLOAT32).sum().itemDouble();
        }
    }

    @Override
    public void close() {
        gpuWorkload.close();
    }
}

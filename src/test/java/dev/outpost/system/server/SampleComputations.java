package dev.outpost.system.server;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;

/** Computations for tests. */
final class SampleComputations {
    private static final int SIDE = 512;

    private SampleComputations() {}

    /** A number of bytes that takes a while on the bulk lane. */
    static HostTensor large(int megabytes) {
        float[] values = new float[megabytes << 18];
        for (int index = 0; index < values.length; index++) {
            values[index] = (index * 31 % 1009) / 1009f;
        }
        return HostTensor.of(values, values.length);
    }

    /** A segment of products, one after the other; each takes milliseconds. */
    static Tensor products(RemoteMachine machine, int count) {
        try (var scope = machine.scope()) {
            Tensor step = machine.full(1.0 / SIDE, DType.FLOAT32, SIDE, SIDE);
            Tensor product = machine.ones(SIDE, SIDE);
            for (int index = 0; index < count; index++) {
                product = product.matmul(step);
            }
            return scope.keep(product);
        }
    }
}

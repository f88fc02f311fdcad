package dev.outpost.system.machines;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;

/** Computes sums among two machines, and ops that use vectors if the JVM has the Vector API. */
final class PlainProgram {
    private PlainProgram() {}

    /** @param arguments none */
    public static void main(String[] arguments) {
        boolean hasVectors =
                ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            MachineGroup data = group.dataParallel();
            double ofOnes = data.ones(DType.FLOAT32, 8, 4).sum().itemDouble();
            Tensor rows = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2), 0);
            float[] ofRows = rows.sum(0).toFloatArray();
            Tensor ones = data.ones(DType.FLOAT32, 8, 8);
            double ofProduct = ones.matmul(ones).relu().exp().log().sum().itemDouble() / 8;
            System.out.println(hasVectors + " " + ofOnes + " " + Arrays.toString(ofRows) + " " + Math.rint(ofProduct));
        }
    }
}

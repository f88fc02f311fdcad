package dev.outpost.cli.gpu;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.provider.GpuProvider;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.Arrays;
import java.util.Map;

/** Several GPUs of this host as a group: a runtime for each computes a part of a product, and the parts are summed between them. */
public final class GroupOnGpus {
    private static final String REMEDY = "./outpost gpus tells which GPUs there are; ask for no more than those.";
    private static final int SIDE = 2048;
    private static final int ROUNDS = 5;

    private final GpuProvider provider;
    private final int size;
    private final MachineOptions options;

    /**
     * @param size how many GPUs
     * @param options of each machine
     */
    public GroupOnGpus(GpuProvider provider, int size, MachineOptions options) {
        this.provider = provider;
        this.size = size;
        this.options = options;
    }

    public CheckResult run() {
        String name = "group of " + size + " GPUs";
        try (MachineGroup group = MachineGroup.of(provider, "any", size, options)) {
            Finding finding = check(group);
            return CheckResult.ok(name, finding.detail(), finding.figures());
        } catch (RuntimeException failure) {
            return CheckResult.failed(name, String.valueOf(failure.getMessage()), REMEDY);
        }
    }

    /** All elements are whole numbers that float32 holds, so the sum is exact whatever the order. */
    private Finding check(MachineGroup group) {
        Tensor left = group.sharded(ones(), 1);
        Tensor right = group.sharded(ones(), 0);
        double seconds = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            // The last op is not linear, so the terms are summed on all machines.
            Tensor product = left.matmul(right).relu();
            double sum = ((Number) product.mean().item()).doubleValue();
            seconds = Math.min(seconds, (System.nanoTime() - start) / 1e9);
            if (sum != SIDE) {
                throw new WrongAnswerException(
                        "group: a product that is cut over " + size + " GPUs, expected " + SIDE + ", got " + sum);
            }
        }
        double bytes = 4.0 * SIDE * SIDE;
        return Finding.of(
                Map.of("seconds", seconds),
                "a product of %d² whose terms of %.0f MB are summed between %s: %.1f ms",
                SIDE,
                bytes / 1e6,
                group.machine().device(),
                seconds * 1e3);
    }

    private static HostTensor ones() {
        float[] values = new float[SIDE * SIDE];
        Arrays.fill(values, 1);
        return HostTensor.of(values, SIDE, SIDE);
    }
}

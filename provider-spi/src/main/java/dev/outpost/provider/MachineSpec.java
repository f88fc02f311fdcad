package dev.outpost.provider;

import java.util.Map;
import java.util.Objects;

/**
 * The machine that a user asks for.
 *
 * @param gpu the kind of GPU
 * @param gpuCount how many GPUs the machine has; 1 is all that is supported so far
 * @param options what only the provider understands, such as a namespace or a delay
 * @param name what people and logs call this machine
 */
public record MachineSpec(GpuType gpu, int gpuCount, Map<String, String> options, String name) {

    public MachineSpec {
        Objects.requireNonNull(gpu, "gpu");
        if (gpuCount != 1) {
            throw new IllegalArgumentException("gpuCount: one GPU a machine is supported so far, got " + gpuCount);
        }
        options = Map.copyOf(options);
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: a machine needs a name that is not blank");
        }
    }

    /** One GPU of that kind, no options, called after the GPU. */
    public static MachineSpec of(GpuType gpu) {
        return new MachineSpec(gpu, 1, Map.of(), gpu.name());
    }
}

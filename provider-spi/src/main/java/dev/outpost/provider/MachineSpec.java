package dev.outpost.provider;

import java.util.Map;
import java.util.Objects;

/**
 * A request for a machine.
 *
 * @param gpu the kind of GPU
 * @param gpuCount the number of GPUs of the machine; only 1 is supported so far
 * @param options the provider's own options, such as a namespace or a delay
 * @param name the name of this machine for people and logs
 */
public record MachineSpec(GpuType gpu, int gpuCount, Map<String, String> options, String name) {

    public MachineSpec {
        Objects.requireNonNull(gpu, "gpu");
        if (gpuCount != 1) {
            throw new IllegalArgumentException("gpuCount: only one GPU per machine is supported, got " + gpuCount);
        }
        options = Map.copyOf(options);
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: a machine needs a name that is not blank");
        }
    }

    /** Requests one GPU of that kind, without options, named after the GPU. */
    public static MachineSpec of(GpuType gpu) {
        return new MachineSpec(gpu, 1, Map.of(), gpu.name());
    }
}

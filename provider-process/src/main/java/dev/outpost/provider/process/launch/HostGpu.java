package dev.outpost.provider.process.launch;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import java.nio.file.Path;

/**
 * A GPU of this host.
 *
 * @param uuid by which CUDA takes it: {@code GPU-…}
 * @param model what the driver calls it: {@code NVIDIA A100-SXM4-40GB}
 * @param file its device file: {@code /dev/nvidia0}
 */
record HostGpu(String uuid, String model, Path file) {

    /** Whether it is one that was asked for: by its own name, by an alias, or by the name of its family ({@code A100}). */
    boolean is(GpuType type, GpuCatalogue catalogue) {
        return catalogue.isOf(type, model);
    }
}

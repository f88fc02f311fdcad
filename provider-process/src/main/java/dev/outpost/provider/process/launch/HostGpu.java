package dev.outpost.provider.process.launch;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import java.nio.file.Path;

/**
 * A GPU of this host.
 *
 * @param uuid CUDA's name of it: {@code GPU-…}
 * @param model the driver's name of the model: {@code NVIDIA A100-SXM4-40GB}
 * @param file its device file: {@code /dev/nvidia0}
 */
record HostGpu(String uuid, String model, Path file) {

    /** Returns true if the requested type has its name, an alias of it, or the name of its family ({@code A100}). */
    boolean is(GpuType type, GpuCatalogue catalogue) {
        return catalogue.isOf(type, model);
    }
}

package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.config.EngineName;
import java.util.Optional;

/**
 * Where a machine computes.
 *
 * @param engine what computes
 * @param device the GPU of this host that it has for itself
 */
public record DeviceChoice(EngineName engine, Optional<String> device) {
    static DeviceChoice on(EngineName engine) {
        return new DeviceChoice(engine, Optional.empty());
    }

    static DeviceChoice on(HostGpu gpu) {
        return new DeviceChoice(EngineName.CUDA, Optional.of(gpu.uuid()));
    }
}

package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.config.EngineName;
import java.util.Optional;

/**
 * Where a machine computes.
 *
 * @param engine what computes
 * @param device the GPU of this host that it has for itself
 */
public record Placement(EngineName engine, Optional<String> device) {
    static Placement on(EngineName engine) {
        return new Placement(engine, Optional.empty());
    }

    static Placement on(HostGpu gpu) {
        return new Placement(EngineName.CUDA, Optional.of(gpu.uuid()));
    }
}

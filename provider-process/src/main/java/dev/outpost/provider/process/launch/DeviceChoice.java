package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.config.EngineName;
import java.util.Optional;

/**
 * The engine and device of a machine.
 *
 * @param engine the engine
 * @param device the UUID of the GPU of this host that only this machine uses
 */
public record DeviceChoice(EngineName engine, Optional<String> device) {
    static DeviceChoice on(EngineName engine) {
        return new DeviceChoice(engine, Optional.empty());
    }

    static DeviceChoice on(HostGpu gpu) {
        return new DeviceChoice(EngineName.CUDA, Optional.of(gpu.uuid()));
    }
}

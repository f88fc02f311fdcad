package dev.outpost.provider.process.launch;

import dev.outpost.provider.support.EngineKind;
import java.util.Optional;

/**
 * The engine and device of a machine.
 *
 * @param engine the engine
 * @param device the UUID of the GPU of this host that only this machine uses
 */
public record DeviceChoice(EngineKind engine, Optional<String> device) {
    static DeviceChoice on(EngineKind engine) {
        return new DeviceChoice(engine, Optional.empty());
    }

    static DeviceChoice on(HostGpu gpu) {
        return new DeviceChoice(EngineKind.CUDA, Optional.of(gpu.uuid()));
    }
}

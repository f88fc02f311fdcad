package dev.outpost.backend.api;

import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.PaperSupplier;
import java.time.InstantSource;
import java.util.Map;

/**
 * A supplier for backends that tests start: its machines are ready at once, and compute nothing. An L40S is free, an H200 is not, and for
 * other GPUs it does not know.
 */
public final class ReadyPaper implements FleetProvider {
    private final PaperSupplier supplier = new PaperSupplier(InstantSource.system(), true);

    public ReadyPaper() {
        supplier.offer("L40S", new GpuAvailability(true, "the device gpu-0 of node-1 (NVIDIA L40S)"));
        supplier.offer("H200", new GpuAvailability(false, "no node publishes a device of the class gpu.nvidia.com"));
    }

    @Override
    public String name() {
        return supplier.name();
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        return supplier.open(installation, options);
    }
}

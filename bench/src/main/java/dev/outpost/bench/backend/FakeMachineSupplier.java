package dev.outpost.bench.backend;

import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.PaperSupplier;
import java.time.InstantSource;
import java.util.Map;

/** A provider that a backend finds on its class path: its machines are ready at once, and compute nothing. */
public final class FakeMachineSupplier implements FleetProvider {
    private final PaperSupplier supplier = new PaperSupplier(InstantSource.system(), true);

    @Override
    public String name() {
        return supplier.name();
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        return supplier.open(installation, options);
    }
}

package dev.outpost.backend.fleet;

import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A supplier that runs hooks before it makes a machine and after it has listed all machines. */
public record HookedSupplier(FleetProvider supplier, Runnable beforeEnsure, Runnable afterList)
        implements FleetProvider {
    HookedSupplier(FleetProvider supplier, Runnable beforeEnsure) {
        this(supplier, beforeEnsure, () -> {});
    }

    @Override
    public String name() {
        return supplier.name();
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        return new Hooked(supplier.open(installation, options), beforeEnsure, afterList);
    }

    private record Hooked(MachineFleet fleet, Runnable beforeEnsure, Runnable afterList) implements MachineFleet {
        @Override
        public String installation() {
            return fleet.installation();
        }

        @Override
        public void validate(DesiredMachine machine) {
            fleet.validate(machine);
        }

        @Override
        public MachineObservation ensure(DesiredMachine machine) {
            beforeEnsure.run();
            return fleet.ensure(machine);
        }

        @Override
        public List<MachineObservation> list() {
            List<MachineObservation> list = fleet.list();
            afterList.run();
            return list;
        }

        @Override
        public FleetWatch watch(Consumer<MachineObservation> listener) {
            return fleet.watch(listener);
        }

        @Override
        public void bind(MachineRef machine, Grant grant) {
            fleet.bind(machine, grant);
        }

        @Override
        public void revoke(MachineRef machine, String tokenSha256) {
            fleet.revoke(machine, tokenSha256);
        }

        @Override
        public void end(MachineRef machine) {
            fleet.end(machine);
        }

        @Override
        public Multi<String> logs(MachineRef machine, boolean follow) {
            return fleet.logs(machine, follow);
        }

        @Override
        public void close() {
            fleet.close();
        }
    }
}

package dev.outpost.system.server;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** A provider that hands out running machines, one after the other. */
final class RunningMachineProvider implements GpuProvider {
    private final Iterator<Endpoint> endpoints;

    RunningMachineProvider(Endpoint... endpoints) {
        this.endpoints = List.of(endpoints).iterator();
    }

    @Override
    public String name() {
        return "endpoints";
    }

    @Override
    public void validate(MachineSpec spec) {}

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> new Borrowed(endpoints.next()));
    }

    private record Borrowed(Endpoint endpoint) implements Lease {
        @Override
        public boolean isWatched() {
            return false;
        }

        @Override
        public String id() {
            return endpoint.toString();
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().nothing();
        }

        @Override
        public Uni<Void> release() {
            return Uni.createFrom().voidItem();
        }
    }
}

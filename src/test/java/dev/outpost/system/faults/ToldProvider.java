package dev.outpost.system.faults;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The machines of another provider, with a description of their loss that the test sets. */
record ToldProvider(GpuProvider machines, boolean watched, CompletableFuture<MachineLoss> word) implements GpuProvider {
    @Override
    public String name() {
        return "told";
    }

    @Override
    public void validate(MachineSpec spec) {
        machines.validate(spec);
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return machines.provision(spec, progress).map(Told::new);
    }

    private final class Told implements Lease {
        private final Lease lease;

        Told(Lease lease) {
            this.lease = lease;
        }

        @Override
        public String id() {
            return lease.id();
        }

        @Override
        public Endpoint endpoint() {
            return lease.endpoint();
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().completionStage(word.copy());
        }

        @Override
        public boolean isWatched() {
            return watched;
        }

        @Override
        public Uni<Void> release() {
            return lease.release();
        }
    }
}

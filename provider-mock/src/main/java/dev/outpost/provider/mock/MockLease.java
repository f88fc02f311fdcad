package dev.outpost.provider.mock;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;

/** The lease of a mock machine. */
record MockLease(MockMachine machine, Runnable onRelease) implements Lease {
    @Override
    public String id() {
        return machine.id();
    }

    @Override
    public Endpoint endpoint() {
        return new Endpoint.InProcess(machine::open);
    }

    @Override
    public Uni<MachineLoss> lost() {
        // Use a copy: unsubscribing cancels the stage.
        return Uni.createFrom().completionStage(() -> machine.lost().copy());
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().item(() -> {
            onRelease.run();
            return null;
        });
    }
}

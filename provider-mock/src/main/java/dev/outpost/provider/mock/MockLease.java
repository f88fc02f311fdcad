package dev.outpost.provider.mock;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

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

    /** A process has several providers whose machines have equal ids, so the text has a number that is unique in this JVM. */
    @Override
    public Optional<String> transferText() {
        return Optional.of(MockProvider.transferable(this));
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().item(() -> {
            onRelease.run();
            return null;
        });
    }
}

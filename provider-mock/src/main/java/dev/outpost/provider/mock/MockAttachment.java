package dev.outpost.provider.mock;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;

/** A mock machine that others use as well: letting go of it leaves it running. */
final class MockAttachment implements Lease {
    private final MockMachine machine;
    private volatile boolean released;

    MockAttachment(MockMachine machine) {
        this.machine = machine;
    }

    @Override
    public String id() {
        return machine.id();
    }

    @Override
    public Endpoint endpoint() {
        return new Endpoint.InProcess(machine::open);
    }

    /** A client that has let go does not lose it. */
    @Override
    public Uni<MachineLoss> lost() {
        return Uni.createFrom()
                .emitter(emitter -> machine.lost().thenAccept(loss -> {
                    if (!released) {
                        emitter.complete(loss);
                    }
                }));
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().item(() -> {
            released = true;
            return null;
        });
    }
}

package dev.outpost.provider.mock;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import io.smallrye.mutiny.Uni;

/** The lease of a mock machine that others may also use. A release does not end the machine. */
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

    /** Never emits after the release. */
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

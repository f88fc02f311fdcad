package dev.outpost.provider.lan;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Consumer;

/** A provider whose only machine is a worker that was found. The machine has the worker's name. */
public final class WorkerProvider implements GpuProvider {
    private final Worker worker;

    /** @param worker a worker that this client is paired with */
    public WorkerProvider(Worker worker) {
        this.worker = worker;
    }

    @Override
    public String name() {
        return worker.name();
    }

    @Override
    public void validate(MachineSpec spec) {
        if (!spec.gpu().isAny() || !spec.options().isEmpty()) {
            throw new IllegalArgumentException("lan: the worker " + worker.name()
                    + " has only one kind of device, so ask for \"any\" without options, got "
                    + spec.gpu().name() + " with "
                    + spec.options().keySet());
        }
        worker.endpoint();
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> {
            progress.accept(
                    new ProvisioningStep(MachinePhase.READY, "the worker is at " + worker.address(), Duration.ZERO));
            return new LanLease(worker, () -> {});
        });
    }
}

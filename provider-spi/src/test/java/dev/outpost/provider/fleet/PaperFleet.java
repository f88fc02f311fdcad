package dev.outpost.provider.fleet;

import dev.outpost.provider.GpuType;
import io.smallrye.mutiny.Multi;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The machines of one installation at a {@link PaperSupplier}. */
record PaperFleet(PaperSupplier supplier, String installation) implements MachineFleet {
    @Override
    public void validate(DesiredMachine machine) {
        PaperSupplier.requireNone(machine.options());
        supplier.requireAccepted(machine.gpu().name());
    }

    @Override
    public MachineObservation ensure(DesiredMachine machine) {
        validate(machine);
        return supplier.ensure(installation, machine);
    }

    @Override
    public Optional<GpuAvailability> availability(GpuType gpu) {
        return supplier.availability(gpu.name());
    }

    @Override
    public List<MachineObservation> list() {
        return supplier.list(installation);
    }

    @Override
    public FleetWatch watch(Consumer<MachineObservation> listener) {
        return supplier.watch(installation, listener);
    }

    @Override
    public void bind(MachineRef machine, Grant grant) {
        supplier.bind(installation, machine, grant);
    }

    @Override
    public void revoke(MachineRef machine, String tokenSha256) {
        supplier.revoke(installation, machine, tokenSha256);
    }

    @Override
    public void end(MachineRef machine) {
        supplier.end(installation, machine);
    }

    @Override
    public Multi<String> logs(MachineRef machine, boolean follow) {
        Multi<String> lines =
                Multi.createFrom().deferred(() -> Multi.createFrom().iterable(supplier.log(installation, machine)));
        return follow ? Multi.createBy().concatenating().streams(lines, untilOver(machine)) : lines;
    }

    /** Emits no lines, and completes when the machine ends. */
    private Multi<String> untilOver(MachineRef machine) {
        return Multi.createFrom().emitter(emitter -> {
            FleetWatch watch = watch(observation -> {
                if (observation.machine().equals(machine) && !observation.isLive()) {
                    emitter.complete();
                }
            });
            emitter.onTermination(watch::close);
            if (list().stream()
                    .noneMatch(observation -> observation.machine().equals(machine) && observation.isLive())) {
                emitter.complete();
            }
        });
    }

    @Override
    public void close() {}
}

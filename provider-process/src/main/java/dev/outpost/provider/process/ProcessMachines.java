package dev.outpost.provider.process;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.NearestName;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.MachineStatus;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MonotonicProgress;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The machines in the state folder of the settings: all machines of this user on this host, regardless of which process started them.
 */
final class ProcessMachines implements MachineKeeper {
    private final Function<Map<String, String>, ProcessConfig> settings;

    /** @param settings reads the configuration; the given options of a machine override the settings */
    ProcessMachines(Function<Map<String, String>, ProcessConfig> settings) {
        this.settings = settings;
    }

    @Override
    public Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom()
                .deferred(() -> ProcessStart.forTime(spec, settings.apply(spec.options()), life)
                        .machine(progress));
    }

    @Override
    public Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-process", () -> attachNow(id, progress));
    }

    private Lease attachNow(String id, Consumer<ProvisioningStep> progress) throws InterruptedException {
        MachineFolder machine = find(id);
        if (!(machine.record().keeper() instanceof Keeper.Time)) {
            throw new IllegalArgumentException(
                    "process: " + id + " belongs to " + keeper(machine.record()) + ", and others do not attach to it");
        }
        MonotonicProgress steps = new MonotonicProgress(progress);
        steps.report(MachinePhase.CONNECTING, "finding " + id);
        MachineStatus status = ProcessStart.await(machine, config().times().startTimeout());
        steps.report(MachinePhase.READY, id + " is ready: " + status.reason());
        return ProcessLease.attached(machine);
    }

    /** Takes over a machine of another client, which has ended or hands it over. */
    Uni<Lease> takeOver(Path folder, MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-process", () -> {
            String id = folder.getFileName().toString();
            MachineFolder machine = new StateFolder(folder.getParent())
                    .find(id)
                    .orElseThrow(() -> new IllegalStateException("process: " + id + " has ended"));
            if (!(machine.record().keeper() instanceof Keeper.Client)) {
                throw new IllegalStateException(
                        "process: " + id + " belongs to " + keeper(machine.record()) + ", and cannot be taken over");
            }
            MonotonicProgress steps = new MonotonicProgress(progress);
            steps.report(MachinePhase.CONNECTING, "finding " + id);
            MachineStatus status = ProcessStart.await(
                    machine, settings.apply(spec.options()).times().startTimeout());
            steps.report(MachinePhase.READY, id + " is ready: " + status.reason());
            return ProcessLease.owning(machine);
        });
    }

    private static String keeper(MachineRecord record) {
        return switch (record.keeper()) {
            case Keeper.Client client -> "its client";
            case Keeper.Time time -> "nobody";
            case Keeper.Fleet fleet -> "the control plane " + fleet.installation();
        };
    }

    @Override
    public Uni<List<MachineSummary>> list() {
        return CancellableTask.uni("outpost-process", () -> {
            Instant now = Instant.now();
            return attended(now).stream().map(machine -> summary(machine, now)).toList();
        });
    }

    private List<MachineFolder> attended(Instant now) throws IOException {
        List<MachineFolder> machines = state().list();
        for (MachineFolder machine : machines) {
            machine.attend(now);
        }
        return machines.stream().filter(MachineFolder::exists).toList();
    }

    private static MachineSummary summary(MachineFolder machine, Instant now) {
        MachineRecord record = machine.record();
        MachineStatus status = machine.status(now);
        boolean kept = record.keeper() instanceof Keeper.Time;
        return new MachineSummary(
                record.name(),
                record.gpu(),
                text(status),
                record.owner(),
                record.created(),
                status.hasEnded() ? Optional.of(status.since()) : record.ends(),
                kept && !status.hasEnded());
    }

    private static String text(MachineStatus status) {
        return switch (status.state()) {
            case QUEUED, SCHEDULING, PULLING, STARTING, CONNECTING, UNREACHABLE, ENDING, GONE ->
                status.state().name().toLowerCase(Locale.ROOT);
            case READY -> "running";
            case ENDED -> "ended: " + status.reason();
        };
    }

    @Override
    public Multi<String> logs(String id, boolean follow) {
        return Multi.createFrom().deferred(() -> LogLines.of(find(id), follow));
    }

    @Override
    public Uni<Void> stop(String id) {
        return CancellableTask.uni("outpost-process", () -> {
            MachineEnd.of(find(id));
            return null;
        });
    }

    @Override
    public Uni<List<String>> sweep() {
        return CancellableTask.uni(
                "outpost-process", () -> OrphanProcessCleanup.of(state(), Duration.ZERO, Instant.now()));
    }

    private MachineFolder find(String id) {
        return state().find(id)
                .orElseThrow(() -> new IllegalArgumentException("process: "
                        + NearestName.sentence("machine", id, names())
                        + " ./outpost machines list process shows"
                        + " those in " + state().path()));
    }

    private List<String> names() {
        return state().list().stream().map(machine -> machine.record().name()).toList();
    }

    private StateFolder state() {
        return new StateFolder(config().state());
    }

    private ProcessConfig config() {
        return settings.apply(Map.of());
    }
}

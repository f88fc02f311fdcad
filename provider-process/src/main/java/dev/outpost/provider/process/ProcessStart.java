package dev.outpost.provider.process;

import dev.outpost.channel.grant.Secrets;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSetting;
import dev.outpost.provider.process.launch.MachineCommand;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.MachineStatus;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MachineNames;
import dev.outpost.provider.support.MonotonicProgress;
import dev.outpost.provider.support.Owner;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Starts one machine for this user. Its token is in the machine's folder. */
final class ProcessStart {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration GLANCE = Duration.ofMillis(5);

    private final MachineSpec spec;
    private final ProcessConfig config;
    private final Keeper keeper;
    private final MachineCommand command;
    private final Duration life;

    private ProcessStart(MachineSpec spec, ProcessConfig config, Keeper keeper, MachineCommand command, Duration life) {
        this.spec = spec;
        this.config = config;
        this.keeper = keeper;
        this.command = command;
        this.life = life;
    }

    /** Prepares a machine that ends with its client. */
    static ProcessStart forClient(MachineSpec spec, ProcessConfig config) {
        ProcessConfig.Times times = config.times();
        Duration life = times.maximumLifetime();
        MachineCommand command = new MachineCommand(
                times.lease(), Optional.of(times.lease()), times.idleTimeout(), Optional.of(life), false);
        return new ProcessStart(spec, config, new Keeper.Client(), command, life);
    }

    /** Prepares a machine that lives for the given time. */
    static ProcessStart forTime(MachineSpec spec, ProcessConfig config, Duration life) {
        if (life.compareTo(config.times().maximumLifetime()) > 0) {
            throw new IllegalArgumentException("life: " + life + " is longer than "
                    + ProcessSetting.MAXIMUM_LIFETIME.property() + " = "
                    + config.times().maximumLifetime() + "; ask for less or raise that");
        }
        MachineCommand command = new MachineCommand(
                config.times().lease(), Optional.empty(), Optional.empty(), Optional.of(life), false);
        return new ProcessStart(spec, config, new Keeper.Time(), command, life);
    }

    /** Starts the machine for as long as the lease is held. */
    Uni<Lease> lease(Consumer<ProvisioningStep> progress) {
        return start(progress, ProcessLease::owning);
    }

    /** Starts a machine that lives independently of this program. Emits its id when it is ready. */
    Uni<String> machine(Consumer<ProvisioningStep> progress) {
        return start(progress, machine -> machine.record().name());
    }

    private <T> Uni<T> start(Consumer<ProvisioningStep> progress, Function<MachineFolder, T> result) {
        return CancellableTask.uni(
                "outpost-process-start", task -> result.apply(ready(task, new MonotonicProgress(progress))));
    }

    private MachineFolder ready(CancellableTask<?> task, MonotonicProgress progress)
            throws IOException, InterruptedException {
        progress.report(MachinePhase.QUEUED, "asking this host for " + spec.gpu());
        MachineFolder machine = task.began(make(), MachineEnd::of);
        String name = machine.record().name();
        progress.report(MachinePhase.STARTING, "starting the runtime of " + name);
        MachineStatus status = await(machine, config.times().startTimeout());
        progress.report(MachinePhase.READY, name + " is ready: " + status.reason());
        return machine;
    }

    private MachineFolder make() throws IOException {
        LocalMachineFactory localMachineFactory = new LocalMachineFactory(config);
        OrphanProcessCleanup.inBackground(
                localMachineFactory.state(), config.times().ttlAfterFinished());
        String name = new MachineNames(RANDOM).draw(spec.gpu());
        return localMachineFactory
                .make(
                        spec.gpu(),
                        device -> record(name, device),
                        command,
                        Map.of(MachineFolder.TOKEN, Secrets.draw(RANDOM) + "\n"),
                        Optional.empty())
                .orElseThrow(
                        () -> new IllegalStateException("process: there is a machine called " + name + " already"));
    }

    private MachineRecord record(String name, Optional<String> device) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new MachineRecord(
                name,
                keeper,
                spec.gpu().name(),
                device,
                Owner.ofThisProcess(),
                now,
                Optional.of(now.plus(config.times().startTimeout()).plus(life)),
                Map.of());
    }

    /** Polls the files of the machine, because the process that writes them may not be a child of this one. */
    static MachineStatus await(MachineFolder machine, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        MachineStatus status = machine.status(Instant.now());
        while (status.state() == MachinePhase.STARTING) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("process: " + machine.record().name() + " did not start within "
                        + timeout + ": " + status.reason() + "; raise " + ProcessSetting.START_TIMEOUT.property());
            }
            Thread.sleep(GLANCE);
            status = machine.status(Instant.now());
        }
        if (status.state() != MachinePhase.READY) {
            throw new IllegalStateException("process: " + machine.record().name() + " has ended: " + status.reason());
        }
        return status;
    }
}

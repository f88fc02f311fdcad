package dev.outpost.provider.process;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineStatus;
import dev.outpost.provider.support.ExitHook;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** The lease of a machine. A thread watches the machine's process. */
final class ProcessLease implements Lease {
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final MachineFolder machine;
    private final Endpoint.Remote endpoint;
    private final Runnable giveBack;
    private final CompletableFuture<MachineLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final ExitHook atExit;

    private ProcessLease(MachineFolder machine, Runnable giveBack) {
        this.machine = machine;
        this.giveBack = giveBack;
        MachineAddress address = machine.announcement().orElseThrow().address();
        this.endpoint =
                address.endpoint(machine.read(MachineFolder.TOKEN).orElseThrow().strip());
        Thread.ofVirtual().name("outpost-watch-" + id()).start(this::watch);
        this.atExit = ExitHook.of("outpost-release-" + id(), giveBack);
    }

    /** Makes a lease whose release ends the machine. The remains of a lost machine stay for a while, for its log. */
    static ProcessLease owning(MachineFolder machine) {
        return new ProcessLease(machine, () -> endIfAlive(machine));
    }

    private static void endIfAlive(MachineFolder machine) {
        if (machine.isAlive()) {
            MachineEnd.of(machine);
        }
    }

    /** Makes a lease whose release leaves the machine running. */
    static ProcessLease attached(MachineFolder machine) {
        return new ProcessLease(machine, () -> {});
    }

    @Override
    public String id() {
        return machine.record().name();
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public Uni<MachineLoss> lost() {
        // Use a copy: unsubscribing cancels the stage.
        return Uni.createFrom().completionStage(() -> lost.copy());
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom().completionStage(() -> {
            if (releasing.compareAndSet(false, true)) {
                Thread.ofVirtual().name("outpost-release-" + id()).start(this::close);
            }
            return released.copy();
        });
    }

    private void close() {
        try {
            giveBack.run();
            released.complete(null);
        } catch (RuntimeException failure) {
            released.completeExceptionally(failure);
        } finally {
            atExit.cancel();
        }
    }

    /** The machine's folder, because another process may have another state folder by default. Only this user can read the folder. */
    @Override
    public Optional<String> transferText() {
        atExit.cancel();
        return Optional.of(machine.path().toAbsolutePath().toString());
    }

    @Override
    public void handOver() {
        if (releasing.compareAndSet(false, true)) {
            released.complete(null);
            atExit.cancel();
        }
    }

    /** Polls the status of the machine, because its process may not be a child of this one. */
    private void watch() {
        try {
            MachineStatus status = machine.status(Instant.now());
            while (!status.hasEnded() && !releasing.get()) {
                Thread.sleep(GLANCE);
                status = machine.status(Instant.now());
            }
            if (!releasing.get()) {
                lost.complete(loss(status));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private MachineLoss loss(MachineStatus ended) {
        if (!machine.exists()) {
            return MachineLoss.failed(id() + " was ended from outside");
        }
        MachineLoss.Cause cause = ended.endCause().filter(EndCause.IDLE::equals).isPresent()
                ? MachineLoss.Cause.IDLE
                : MachineLoss.Cause.FAILED;
        return new MachineLoss(cause, ended.reason());
    }
}

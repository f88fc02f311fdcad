package dev.outpost.provider.outpost;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.ProgramPackage;
import dev.outpost.provider.SharedAccess;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.rest.client.BackendException;
import io.smallrye.mutiny.Uni;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The lease of a backend's machine. An unreachable backend does not mean that the machine is lost. */
final class BackendLease implements Lease {
    /** Separates the id from the token in the text of a transfer. */
    static final String TRANSFER = " ";

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration RELEASE = Duration.ofSeconds(5);

    private final MachineCalls machine;
    private final Endpoint endpoint;
    private final Runnable giveBack;
    /** The text by which another process takes the machine over; empty if this lease does not end the machine. */
    private final Optional<String> transfer;

    private final CompletableFuture<MachineLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final AtomicBoolean releasing = new AtomicBoolean();
    private final Thread watch;

    /** @param giveBack called on release: ends the machine, or revokes this client's grant */
    private BackendLease(
            MachineCalls machine, RemoteState state, MachineToken token, Runnable giveBack, Optional<String> transfer) {
        this.transfer = transfer;
        this.machine = machine;
        this.endpoint = MachineCalls.endpoint(state, token);
        this.giveBack = giveBack;
        this.watch = Thread.ofVirtual().name("outpost-watch-" + machine.id()).unstarted(() -> watch(state.version()));
    }

    /** Makes a lease of a machine that others end. */
    static BackendLease watched(MachineCalls machine, RemoteState state, MachineToken token, Runnable giveBack) {
        return begin(new BackendLease(machine, state, token, giveBack, Optional.empty()));
    }

    /** Makes a lease whose release ends the machine. */
    static BackendLease owning(MachineCalls machine, RemoteState state, MachineToken token) {
        String transfer = machine.id() + TRANSFER + token.text();
        return begin(new BackendLease(machine, state, token, machine::end, Optional.of(transfer)));
    }

    private static BackendLease begin(BackendLease lease) {
        lease.watch.start();
        return lease;
    }

    private void watch(long version) {
        long seen = version;
        while (!releasing.get() && !lost.isDone()) {
            try {
                RemoteState state = machine.after(seen);
                seen = state.version();
                if (state.isOver() && !releasing.get()) {
                    lost.complete(state.loss());
                }
            } catch (BackendException failure) {
                if (failure.code().equals("not-found")) {
                    lost.complete(MachineLoss.failed("machine " + id() + ": " + failure.getMessage()));
                } else if (!pause()) {
                    return;
                }
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    @Override
    public String id() {
        return machine.id();
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public Uni<MachineLoss> lost() {
        // A copy, because unsubscribing cancels the stage.
        return Uni.createFrom().completionStage(() -> lost.copy());
    }

    @Override
    public Uni<SharedAccess> share(GrantTerms terms) {
        return CancellableTask.uni("outpost-share", () -> machine.share(terms, new SecureRandom()));
    }

    @Override
    public Uni<Void> unshare(SharedAccess access) {
        return CancellableTask.uni("outpost-unshare", () -> {
            machine.revoke(access.id());
            return null;
        });
    }

    @Override
    public Uni<Void> publish(ProgramPackage program) {
        return CancellableTask.uni("outpost-publish", () -> {
            machine.publish(program);
            return null;
        });
    }

    @Override
    public Optional<String> transferText() {
        return transfer;
    }

    @Override
    public void handOver() {
        if (releasing.compareAndSet(false, true)) {
            watch.interrupt();
            released.complete(null);
        }
    }

    @Override
    public Uni<Void> release() {
        return Uni.createFrom()
                .completionStage(() -> releaseOnce().completeOnTimeout(null, RELEASE.toNanos(), TimeUnit.NANOSECONDS));
    }

    private CompletableFuture<Void> releaseOnce() {
        if (releasing.compareAndSet(false, true)) {
            watch.interrupt();
            Thread.ofVirtual().name("outpost-release-" + id()).start(this::close);
        }
        return released.copy();
    }

    /**
     * Releases the machine. If the backend cannot be reached, the machine ends by itself after a while without a
     * client.
     */
    private void close() {
        try {
            giveBack.run();
        } catch (BackendException ignored) {
            // If this fails, the machine ends at the end of its lease time.
        } finally {
            released.complete(null);
        }
    }
}

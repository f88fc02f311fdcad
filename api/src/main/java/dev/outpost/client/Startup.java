package dev.outpost.client;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.provider.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Gets the machine, on a thread of its own, while the program records already. */
public final class Startup {
    /** Supplies the machine; interrupted when nobody wants it any more. */
    @FunctionalInterface
    public interface Provisioning {
        Lease provision() throws InterruptedException;
    }

    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(10);

    private final String name;
    private final Provisioning provisioning;
    private final Consumer<Lease> connect;
    private final Consumer<OutpostException> fail;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Thread thread;
    private Lease lease;
    private boolean unwanted;

    Startup(String name, Provisioning provisioning, Consumer<Lease> connect, Consumer<OutpostException> fail) {
        this.name = name;
        this.provisioning = provisioning;
        this.connect = connect;
        this.fail = fail;
        this.thread = Thread.ofVirtual().name("outpost-start-" + name).unstarted(this::run);
    }

    /** Begins; not before the session is ready for the answer. */
    void begin() {
        thread.start();
    }

    private void run() {
        try {
            Lease handedOut = provisioning.provision();
            if (take(handedOut)) {
                connect.accept(handedOut);
                // A machine that does not answer, or does not let this client in: the session knows why.
                ready.complete(null);
            } else {
                giveBack(handedOut);
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
            failed(FaultKind.EXTERNAL, name + ": starting the machine was cancelled", cancelled);
        } catch (RuntimeException refused) {
            FaultKind kind = refused instanceof OutpostException ours ? ours.kind() : FaultKind.EXTERNAL;
            failed(kind, name + ": the machine did not start: " + refused.getMessage(), refused);
        }
    }

    private void failed(FaultKind kind, String message, Throwable cause) {
        OutpostException failure = new OutpostException(kind, message, cause);
        fail.accept(failure);
        ready.completeExceptionally(failure);
    }

    private synchronized boolean take(Lease handedOut) {
        lease = unwanted ? null : handedOut;
        return !unwanted;
    }

    /** The machine has answered. */
    void ready() {
        ready.complete(null);
    }

    /** Waits for the machine, or for the news that there will be none. */
    void await() {
        try {
            ready.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(
                    FaultKind.EXTERNAL, name + ": interrupted while waiting for the machine", interrupted);
        } catch (ExecutionException failed) {
            // The session knows why, and says so where it is used.
            return;
        }
    }

    /** Whether the machine has answered, or there will be none. */
    boolean isReady() {
        return ready.isDone();
    }

    /** Gives up on a machine that has not answered yet. */
    void cancel() {
        synchronized (this) {
            unwanted = true;
        }
        if (!isReady()) {
            thread.interrupt();
        }
    }

    /** Gives the machine back, if there is one. */
    void release() {
        Lease held;
        synchronized (this) {
            held = lease;
            lease = null;
            unwanted = true;
        }
        if (held != null) {
            giveBack(held);
        }
    }

    private static void giveBack(Lease lease) {
        lease.release().onFailure().recoverWithNull().await().atMost(RELEASE_TIMEOUT);
    }
}

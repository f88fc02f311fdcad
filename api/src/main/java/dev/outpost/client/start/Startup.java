package dev.outpost.client.start;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.Lease;
import dev.outpost.stats.Provisioning;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.opentelemetry.context.Context;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the machine on a separate thread, while the program already records. Releases the machine when the session
 * ends, or at the latest when the JVM ends.
 */
public final class Startup implements ShutdownRegistry.Holding {
    private static final Logger LOG = LoggerFactory.getLogger(Startup.class);
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(10);

    private final String name;
    private final MachineSource source;
    private final StartProgress progress;
    private final Consumer<Lease> connect;
    private final Consumer<OutpostException> fail;
    private final CountDownLatch settled = new CountDownLatch(1);
    /** Counted down when the provider has handed out the machine, or when the start has failed. */
    private final CountDownLatch handedOver = new CountDownLatch(1);

    private final ReentrantLock releasing = new ReentrantLock();
    private final Thread thread;
    private Lease lease;
    private boolean answered;
    private boolean unwanted;
    /** True if the end of the JVM leaves the machine to another process. */
    private volatile boolean isLeft;

    private boolean finished;

    public Startup(
            String name,
            MachineSource source,
            StartProgress progress,
            Consumer<Lease> connect,
            Consumer<OutpostException> fail) {
        this.name = name;
        this.source = source;
        this.progress = progress;
        this.connect = connect;
        this.fail = fail;
        this.thread = Thread.ofVirtual()
                .name("outpost-start-" + name)
                .unstarted(Context.current().wrap(this::run));
    }

    /** Begins the start. The session must be ready for the answer. */
    public void begin() {
        ShutdownRegistry.ofThisJvm().add(this);
        thread.start();
    }

    private void run() {
        try {
            Lease handedOut = await(source.lease(progress));
            if (take(handedOut)) {
                connect.accept(handedOut);
            } else {
                // The caller that cancelled has interrupted this thread, which must still release the lease.
                Thread.interrupted();
                release(handedOut);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failed(FaultKind.EXTERNAL, name + ": starting the machine was cancelled", interrupted);
        } catch (ExecutionException failure) {
            failed(failure.getCause());
        } catch (RuntimeException | Error failure) {
            failed(failure);
        } finally {
            finish();
        }
    }

    /** Waits for the lease. If this thread is interrupted, the start is cancelled and the provider releases what it has started. */
    private static Lease await(Uni<Lease> starting) throws InterruptedException, ExecutionException {
        CompletableFuture<Lease> coming = starting.subscribeAsCompletionStage();
        try {
            return coming.get();
        } catch (InterruptedException interrupted) {
            if (coming.cancel(true)) {
                throw interrupted;
            }
            // The provider handed out the lease just before the cancellation, so the start cannot be cancelled.
            return coming.get();
        }
    }

    private void failed(Throwable refused) {
        FaultKind kind = refused instanceof OutpostException ours ? ours.kind() : FaultKind.EXTERNAL;
        failed(kind, name + ": the machine did not start: " + refused.getMessage(), refused);
    }

    private void failed(FaultKind kind, String message, Throwable cause) {
        fail.accept(new OutpostException(kind, message, cause));
    }

    private synchronized boolean take(Lease handedOut) {
        lease = unwanted ? null : handedOut;
        handedOver.countDown();
        return !unwanted;
    }

    /** Called when the machine has answered. */
    public void ready() {
        synchronized (this) {
            answered = true;
        }
        progress.ready();
        settled.countDown();
    }

    /** Called when the session is over for a known reason, even if there was no machine yet. */
    public void over() {
        progress.failed();
        handedOver.countDown();
        settled.countDown();
    }

    /** Waits for the machine's answer, or for the end of the session. */
    public void await() {
        try {
            settled.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(
                    FaultKind.EXTERNAL, name + ": interrupted while waiting for the machine", interrupted);
        }
    }

    /**
     * Like {@link #await()}, but with a limit for each phase.
     *
     * @param handOver the longest wait for the provider to hand out the machine
     * @param answer the longest wait after that for the first answer of the machine
     * @return false if a limit has passed and the start is still under way
     */
    public boolean await(Duration handOver, Duration answer) throws InterruptedException {
        return handedOver.await(handOver.toMillis(), TimeUnit.MILLISECONDS)
                && settled.await(answer.toMillis(), TimeUnit.MILLISECONDS);
    }

    public synchronized boolean hasAnswered() {
        return answered;
    }

    public Provisioning provisioning() {
        return progress.provisioning();
    }

    /** Cancels the start of a machine that has not answered yet. */
    public synchronized void cancel() {
        if (!unwanted && !answered) {
            thread.interrupt();
        }
        unwanted = true;
    }

    /** Releases the machine, if there is one. If another thread is releasing it, waits until that is done. */
    public void release() {
        releasing.lock();
        try {
            Lease held = takeAway();
            if (held != null) {
                release(held);
            }
            forgetWhenDone();
        } finally {
            releasing.unlock();
        }
    }

    /** Makes the end of the JVM leave the machine to another process. */
    public void leaveAtExit() {
        isLeft = true;
    }

    /** Leaves the machine to another process. {@link #release} does nothing to the machine from now on. Does not block. */
    public void handOver() {
        Lease held = takeAway();
        if (held != null) {
            DebugLog.MACHINE.print("%s: %s is handed over", name, held.id());
            held.handOver();
        }
    }

    /** Releases the machine at the end of the JVM, because the program did not close it. */
    @Override
    public void closeEarly() {
        if (isLeft) {
            return;
        }
        cancel();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        release();
    }

    private synchronized Lease takeAway() {
        Lease held = lease;
        lease = null;
        unwanted = true;
        return held;
    }

    private synchronized boolean isHolding() {
        return lease != null;
    }

    /** Ends the thread that gets the machine. */
    private void finish() {
        releasing.lock();
        try {
            finished = true;
            forgetWhenDone();
        } finally {
            releasing.unlock();
        }
    }

    /**
     * Leaves the shutdown registry when the start is over and no machine is held. Before that, the end of the JVM must release the machine.
     */
    private void forgetWhenDone() {
        if (finished && !isHolding()) {
            ShutdownRegistry.ofThisJvm().remove(this);
        }
    }

    private void release(Lease held) {
        DebugLog.MACHINE.print("%s: %s is given back", name, held.id());
        try {
            held.release().await().atMost(RELEASE_TIMEOUT);
        } catch (RuntimeException problem) {
            LOG.warn("{}: {} could not be given back: {}", name, held.id(), problem.toString());
        }
    }
}

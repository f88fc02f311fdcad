package dev.outpost.provider.mock;

import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.ProvisioningStep.Phase;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The start of one machine, on a thread of its own, until it is there or nobody wants it any more. */
final class MockStart {
    private final MachineSpec spec;
    private final MockSettings settings;
    private final Consumer<ProvisioningStep> progress;
    private final UniEmitter<? super MockLease> emitter;
    private final Supplier<MockLease> machines;
    private final long start = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread thread;
    private MockLease lease;
    private boolean cancelled;

    MockStart(
            MachineSpec spec,
            MockSettings settings,
            Consumer<ProvisioningStep> progress,
            UniEmitter<? super MockLease> emitter,
            Supplier<MockLease> machines) {
        this.spec = spec;
        this.settings = settings;
        this.progress = progress;
        this.emitter = emitter;
        this.machines = machines;
        this.thread = Thread.ofVirtual().name("outpost-mock-provisioning").unstarted(this::run);
    }

    void start() {
        emitter.onTermination(this::terminated);
        thread.start();
    }

    private void run() {
        try {
            report(Phase.QUEUED, "asking for a mock " + spec.gpu());
            Thread.sleep(settings.provisioning());
            if (!settings.failure().isEmpty()) {
                emitter.fail(new IllegalStateException(settings.failure()));
                return;
            }
            report(Phase.STARTING, "starting the engine");
            MockLease started = startMachine();
            report(
                    Phase.READY,
                    started.machine().id() + " is ready: " + started.machine().device());
            emitter.complete(started);
        } catch (InterruptedException interrupted) {
            // The caller that cancelled needs no answer.
        } catch (RuntimeException | LinkageError failure) {
            emitter.fail(failure);
        }
    }

    private MockLease startMachine() throws InterruptedException {
        lock.lock();
        try {
            if (cancelled) {
                throw new InterruptedException("cancelled");
            }
            lease = machines.get();
            return lease;
        } finally {
            lock.unlock();
        }
    }

    /** Called after a result as well, then by the very thread that gave it. */
    private void terminated() {
        if (Thread.currentThread() == thread) {
            return;
        }
        thread.interrupt();
        lock.lock();
        try {
            cancelled = true;
            if (lease != null) {
                lease.onRelease().run();
            }
        } finally {
            lock.unlock();
        }
    }

    private void report(Phase phase, String text) {
        progress.accept(new ProvisioningStep(phase, text, Duration.ofNanos(System.nanoTime() - start)));
    }
}

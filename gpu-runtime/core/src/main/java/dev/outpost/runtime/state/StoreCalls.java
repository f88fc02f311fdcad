package dev.outpost.runtime.state;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Calls to a store that run at the same time, each in its own thread. After a failure, no further call begins. Used by one thread. */
final class StoreCalls implements AutoCloseable {
    /** A call to a store. */
    @FunctionalInterface
    interface Call {
        void run() throws IOException, InterruptedException;
    }

    private final int atOnce;
    private final Semaphore free;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile Throwable failure;

    StoreCalls(int atOnce) {
        this.atOnce = atOnce;
        this.free = new Semaphore(atOnce);
    }

    /** Begins a call as soon as fewer than the maximum number are running. Throws the failure of an earlier call. */
    void begin(Call call) throws IOException, InterruptedException {
        free.acquire();
        boolean isStarted = false;
        try {
            requireNoFailure();
            Thread thread = Thread.ofVirtual().name("outpost-state-store").unstarted(() -> run(call));
            threads.add(thread);
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                free.release();
            }
        }
    }

    private void run(Call call) {
        try {
            call.run();
        } catch (IOException | InterruptedException | RuntimeException | Error problem) {
            failure = failure == null ? problem : failure;
        } finally {
            threads.remove(Thread.currentThread());
            free.release();
        }
    }

    /** Waits for all calls. Throws the failure of one of them. */
    void finish() throws IOException, InterruptedException {
        free.acquire(atOnce);
        free.release(atOnce);
        requireNoFailure();
    }

    private void requireNoFailure() throws IOException, InterruptedException {
        switch (failure) {
            case null -> {}
            case IOException io -> throw io;
            case InterruptedException interrupted -> throw interrupted;
            case RuntimeException defect -> throw defect;
            case Error defect -> throw defect;
            default -> throw new IllegalStateException(failure);
        }
    }

    /** Interrupts the calls that are still running, and waits for them. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        free.acquireUninterruptibly(atOnce);
    }
}

package dev.outpost.runtime.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The completion of asynchronous work of an engine. Thread-safe. */
public class Completion {
    /** The completion of work that is already done. */
    public static final Completion DONE = done();

    private final CountDownLatch awaited = new CountDownLatch(1);
    /** The actions to run; null after all of them have run. Guarded by this. */
    private List<Runnable> actions = new ArrayList<>(1);

    private volatile Throwable failure;

    private static Completion done() {
        Completion done = new Completion();
        done.complete();
        return done;
    }

    /** Returns true if the work is done or has failed, and every action has run. */
    public final boolean isDone() {
        return awaited.getCount() == 0;
    }

    /** Returns the reason why the work failed; empty if it succeeded, and before {@link #isDone}. */
    public final Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Runs an action when the work is done or has failed: immediately if it already has, otherwise on a thread of the engine. Other work
     * waits for that thread, so the action must neither wait nor throw. Actions run in the order in which they were given.
     */
    public final void whenDone(Runnable action) {
        synchronized (this) {
            if (actions != null) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    /** Waits until the work is done or has failed, and every action that was given before has run. */
    public final void await() throws InterruptedException {
        awaited.await();
    }

    /** Waits like {@link #await()}, at most for the timeout. Returns true if the work is done or has failed. */
    public final boolean await(Duration timeout) throws InterruptedException {
        return awaited.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Marks the work as done. Only the engine calls this. Only the first call of this method or {@link #fail} counts. */
    public final void complete() {
        for (List<Runnable> next = next(); next != null; next = next()) {
            next.forEach(Runnable::run);
        }
        awaited.countDown();
    }

    /** Marks the work as failed. Only the engine calls this. */
    public final void fail(Throwable problem) {
        failure = problem;
        complete();
    }

    /** Takes the actions that were added since the last call. Returns null if there were none, and closes the list. */
    private synchronized List<Runnable> next() {
        if (actions == null || actions.isEmpty()) {
            actions = null;
            return null;
        }
        List<Runnable> given = actions;
        actions = new ArrayList<>(1);
        return given;
    }
}

package dev.outpost.runtime.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that an engine was asked to do and does later. Thread-safe. */
public class Completion {
    /** The completion of work that is done already. */
    public static final Completion DONE = done();

    private final CountDownLatch awaited = new CountDownLatch(1);
    /** Null once all have run. Guarded by this. */
    private List<Runnable> actions = new ArrayList<>(1);

    private volatile Throwable failure;

    private static Completion done() {
        Completion done = new Completion();
        done.complete();
        return done;
    }

    /** Whether it is done, or will never be, and every action has run. */
    public final boolean isDone() {
        return awaited.getCount() == 0;
    }

    /** Why it will never be done; empty where it is, and before {@link #isDone}. */
    public final Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Has an action run once it is done or failed: at once where it is already, and otherwise on a thread of the engine's, which
     * others wait for. So it must neither wait nor throw. Actions run in the order in which they were given.
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

    /** Waits until it is done or failed, and every action that was given before has run. */
    public final void await() throws InterruptedException {
        awaited.await();
    }

    /** As {@link #await()}, for so long at most; the answer is whether it is done or failed. */
    public final boolean await(Duration timeout) throws InterruptedException {
        return awaited.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** It is done. For the engine; only the first call counts, be it of this or of {@link #fail}. */
    public final void complete() {
        for (List<Runnable> next = next(); next != null; next = next()) {
            next.forEach(Runnable::run);
        }
        awaited.countDown();
    }

    /** It will never be done. For the engine. */
    public final void fail(Throwable problem) {
        failure = problem;
        complete();
    }

    /** The actions since the last call; null, from then on, where there were none. */
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

package dev.outpost.support.tests;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tests the first use of a package for which a library generates classes. The second thread starts between two generated classes.
 */
public final class FirstUse {
    /** The work on a fresh copy of a class. */
    @FunctionalInterface
    public interface Work {
        void run(Class<?> fresh) throws Exception;
    }

    /** The number of checks that must find a thread waiting, before it counts as waiting for another one. */
    private static final int LOOKS = 20;

    /** The states of a thread that waits for a monitor or for a lock. */
    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.BLOCKED, Thread.State.WAITING);

    private final Class<?> sample;
    private final Work work;
    private final FreshClasses classes;
    private final Thread second =
            Thread.ofPlatform().daemon().name("second-user").unstarted(this::runSecond);
    private final AtomicReference<String> firstName = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private boolean isSecondStarted;
    private int looks;

    private FirstUse(Class<?> sample, Work work) {
        this.sample = sample;
        this.work = work;
        this.classes = new FreshClasses(sample, this::generated);
    }

    /**
     * Runs the work on this thread, and concurrently on a second one. Returns when both have succeeded.
     *
     * @param sample the class of which the work gets a fresh copy
     * @throws AssertionError if the second thread failed, or never came because nothing was generated
     */
    public static void byTwoThreads(Class<?> sample, Work work) throws Exception {
        new FirstUse(sample, work).run();
    }

    private void run() throws Exception {
        work.run(fresh());
        if (!isSecondStarted) {
            throw new AssertionError("fewer than two classes were generated for " + sample);
        }
        Await.ended("the second thread", second);
        if (failure.get() != null) {
            throw new AssertionError("the second thread failed", failure.get());
        }
    }

    private Class<?> fresh() throws ClassNotFoundException {
        return classes.loadClass(sample.getName());
    }

    private void runSecond() {
        try {
            work.run(fresh());
        } catch (Exception | Error exception) {
            failure.set(exception);
        }
    }

    /** The first thread waits here until the second one has finished, or waits for the first. */
    private void generated(String name) {
        boolean isAnother = !firstName.compareAndSet(null, name) && !name.equals(firstName.get());
        if (Thread.currentThread() != second && isAnother && !isSecondStarted) {
            isSecondStarted = true;
            second.start();
            awaitBlocked();
        }
    }

    private void awaitBlocked() {
        Await.until("the second thread has ended, or waits for the first one", () -> {
            looks = WAITING.contains(second.getState()) ? looks + 1 : 0;
            return !second.isAlive() || looks >= LOOKS;
        });
    }
}

package dev.outpost.support.tests;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The first use of a package whose classes a library completes by classes that it generates. A second thread comes at the worst moment:
 * when the first one has generated a class and is about to generate another one, which the first class needs.
 */
public final class FirstUse {
    /** The work, on a fresh copy of a class. */
    @FunctionalInterface
    public interface Work {
        void run(Class<?> fresh) throws Exception;
    }

    /** A thread that waits for another one is found blocked each time. */
    private static final int LOOKS = 20;

    private static final long PAUSE_MILLIS = 5;

    private final Class<?> sample;
    private final Work work;
    private final FreshClasses classes;
    private final Thread second = new Thread(this::runSecond, "second-user");
    private final AtomicReference<String> firstName = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private boolean isSecondStarted;

    private FirstUse(Class<?> sample, Work work) {
        this.sample = sample;
        this.work = work;
        this.classes = new FreshClasses(sample, this::generated);
    }

    /**
     * Runs the work on this thread, and on the second one meanwhile. Returns when both have succeeded.
     *
     * @param sample the class that the work gets a fresh copy of
     * @throws AssertionError when the second thread failed, or never came, since nothing was generated
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
        } catch (Exception | Error failed) {
            failure.set(failed);
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
        int blocked = 0;
        while (second.isAlive() && blocked < LOOKS) {
            pause();
            blocked = second.getState() == Thread.State.BLOCKED ? blocked + 1 : 0;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}

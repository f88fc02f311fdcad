package dev.outpost.support.tests;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits of tests for conditions. Each wait has a guard against hangs, which is long enough that it does not depend on the speed of the
 * machine. A guard that fires names the condition and prints a thread dump.
 */
public final class Await {
    /** The guard of each wait. It also suits parameters of the product that shall not expire in tests. */
    public static final Duration GUARD = Duration.ofMinutes(3);

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
    private static final long LONGEST_PAUSE_MILLIS = 20;
    /** A slow check, such as a request to a server, is repeated less often, so that it takes at most a fifth of the time. */
    private static final long PAUSES_OF_A_LOOK = 4;

    private static final long LONGEST_PAUSE_OF_LOOKS_MILLIS = 250;

    private Await() {}

    /** A condition that the waiting thread may evaluate many times. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Steps that may throw. */
    @FunctionalInterface
    public interface Steps {
        void run() throws Exception;
    }

    public static void until(String description, Condition condition) {
        until(GUARD, description, condition);
    }

    /** Waits with another guard, which tests of the product may only make longer than usual. */
    public static void until(Duration guard, String description, Condition condition) {
        present(guard, () -> description, () -> condition.holds() ? Optional.of(true) : Optional.empty());
    }

    /** Waits with a description that is made when the guard fires, so it can describe the present state. */
    public static void until(Supplier<String> description, Condition condition) {
        present(GUARD, description, () -> condition.holds() ? Optional.of(true) : Optional.empty());
    }

    /** Does the same with a guard that is longer than usual. */
    public static void until(Duration guard, Supplier<String> description, Condition condition) {
        present(guard, description, () -> condition.holds() ? Optional.of(true) : Optional.empty());
    }

    /** Waits for the first value that is present. */
    public static <T> T present(String description, Callable<Optional<T>> look) {
        return present(GUARD, () -> description, look);
    }

    private static <T> T present(Duration guard, Supplier<String> description, Callable<Optional<T>> look) {
        long start = System.nanoTime();
        for (long pause = 1; true; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            long before = System.nanoTime();
            boolean last = before - start > guard.toNanos();
            Optional<T> found = unchecked(look);
            if (found.isPresent()) {
                return found.get();
            }
            if (last) {
                throw fired(guard, description.get());
            }
            sleep(Math.max(pause, pauseAfter(System.nanoTime() - before)));
        }
    }

    private static long pauseAfter(long lookNanos) {
        long millis = PAUSES_OF_A_LOOK * TimeUnit.NANOSECONDS.toMillis(lookNanos);
        return Math.min(millis, LONGEST_PAUSE_OF_LOOKS_MILLIS);
    }

    private static void sleep(long millis) {
        unchecked(() -> {
            Thread.sleep(millis);
            return null;
        });
    }

    /** Waits for the result of a future; throws its exception like {@link Future#get()}. */
    public static <T> T result(String description, Future<T> future) throws InterruptedException, ExecutionException {
        try {
            return future.get(GUARD.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException ignored) {
            throw fired(GUARD, description);
        }
    }

    public static void opened(String description, CountDownLatch latch) throws InterruptedException {
        check(latch.await(GUARD.toMillis(), TimeUnit.MILLISECONDS), description);
    }

    public static void acquired(String description, Semaphore semaphore) throws InterruptedException {
        check(semaphore.tryAcquire(GUARD.toMillis(), TimeUnit.MILLISECONDS), description);
    }

    public static void acquired(String description, Semaphore semaphore, int permits) throws InterruptedException {
        check(semaphore.tryAcquire(permits, GUARD.toMillis(), TimeUnit.MILLISECONDS), description);
    }

    /** Waits for the next element of a queue. */
    public static <T> T next(String description, BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(GUARD.toMillis(), TimeUnit.MILLISECONDS);
        check(next != null, description);
        return next;
    }

    public static void ended(String description, Thread thread) throws InterruptedException {
        check(thread.join(GUARD), description);
    }

    /** Waits for the exit code of a process. */
    public static int ended(String description, Process process) throws InterruptedException {
        check(process.waitFor(GUARD.toMillis(), TimeUnit.MILLISECONDS), description);
        return process.exitValue();
    }

    /** Returns the result of steps that must not hang. They run in a separate thread, which the guard interrupts. */
    public static <T> T within(String description, Callable<T> steps) throws Exception {
        FutureTask<T> task = new FutureTask<>(steps);
        Thread thread =
                Thread.ofPlatform().daemon().name("steps: " + description).start(task);
        try {
            return result(description, task);
        } catch (ExecutionException failure) {
            throw rethrown(failure.getCause());
        } finally {
            thread.interrupt();
        }
    }

    public static void within(String description, Steps steps) throws Exception {
        within(description, () -> {
            steps.run();
            return null;
        });
    }

    /** Steps with a timeout of the product that shall expire. */
    @FunctionalInterface
    public interface TimedSteps {
        void run(Duration timeout) throws Exception;
    }

    /**
     * Runs steps with a timeout of the product that shall expire, but not before all threads have run. If they fail, they run again with
     * twice the time, as for a slower machine; only a failure with a minute counts.
     */
    public static void withEnoughTime(Duration first, TimedSteps steps) throws Exception {
        for (Duration timeout = first; timeout.compareTo(LONGEST_TIMEOUT) < 0; timeout = timeout.multipliedBy(2)) {
            try {
                steps.run(timeout);
                return;
            } catch (AssertionError | Exception failure) {
                System.err.println("once more with twice the time, for with " + timeout + " it failed: " + failure);
            }
        }
        steps.run(LONGEST_TIMEOUT);
    }

    private static void check(boolean done, String description) {
        if (!done) {
            throw fired(GUARD, description);
        }
    }

    private static Exception rethrown(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof Exception exception ? exception : new IllegalStateException(cause);
    }

    private static AssertionError fired(Duration guard, String description) {
        AssertionError error = new AssertionError("not within " + guard.toSeconds() + " s: " + description);
        error.addSuppressed(ThreadDump.take());
        return error;
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a wait", interrupted);
        } catch (RuntimeException exception) {
            throw exception;
        } catch (Exception exception) {
            throw new IllegalStateException(exception);
        }
    }
}

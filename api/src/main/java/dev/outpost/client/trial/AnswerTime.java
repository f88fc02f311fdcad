package dev.outpost.client.trial;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The total time in which several machines must answer. Waits are divided into slices, so that a standstill of this
 * process costs at most one slice of this time. Not thread-safe.
 */
public final class AnswerTime {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private long leftNanos;

    /** @param all the total time */
    public AnswerTime(Duration all) {
        this.leftNanos = all.toNanos();
    }

    /** Waits for an answer; empty if there is none in time. */
    public <T> Optional<T> await(Future<T> answer) throws InterruptedException, ExecutionException {
        while (leftNanos > 0 || answer.isDone()) {
            long slice = Math.min(Math.max(leftNanos, 0), SLICE_NANOS);
            long start = System.nanoTime();
            try {
                return Optional.ofNullable(answer.get(slice, TimeUnit.NANOSECONDS));
            } catch (TimeoutException ignored) {
                // More time than the slice may have passed; at most the slice is counted.
            } finally {
                leftNanos -= Math.min(slice, System.nanoTime() - start);
            }
        }
        return Optional.empty();
    }
}

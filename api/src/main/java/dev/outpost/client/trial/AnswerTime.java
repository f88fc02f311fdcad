package dev.outpost.client.trial;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Time that machines have for answers, all of them together. It is waited for by slices, so that a standstill of this process takes
 * one slice of it at most. For one thread.
 */
public final class AnswerTime {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private long leftNanos;

    /** @param all the time that there is */
    public AnswerTime(Duration all) {
        this.leftNanos = all.toNanos();
    }

    /** Waits for an answer; nothing where there is none in time. */
    public <T> Optional<T> await(Future<T> answer) throws InterruptedException, ExecutionException {
        while (leftNanos > 0 || answer.isDone()) {
            long slice = Math.min(Math.max(leftNanos, 0), SLICE_NANOS);
            long start = System.nanoTime();
            try {
                return Optional.ofNullable(answer.get(slice, TimeUnit.NANOSECONDS));
            } catch (TimeoutException ignored) {
                // Within a slice that was waited for to its end, more may have passed than that.
            } finally {
                leftNanos -= Math.min(slice, System.nanoTime() - start);
            }
        }
        return Optional.empty();
    }
}

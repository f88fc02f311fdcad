package dev.outpost.channel.http;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Watches one body. Time counts only while the reader wants more: a reader that pauses is no stall of the sender. Thread-safe.
 */
public final class ProgressGuard implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private final Pace pace;
    private final Runnable whenStalled;
    /** Chunks that the reader wants and that have not come. */
    private long wanted;
    /** Bytes since the pace was last kept. */
    private long bytes;
    /** When the time of these bytes began; where nothing is wanted, the time that is spent already stands in {@link #spent}. */
    private long since;

    private long spent;
    private boolean isEnded;
    private ScheduledFuture<?> check;

    /**
     * Begins to watch, with nothing wanted.
     *
     * @param whenStalled run once, on a thread that must not be held up, if the body falls behind the pace
     */
    public ProgressGuard(Pace pace, Runnable whenStalled) {
        this.pace = pace;
        this.whenStalled = whenStalled;
    }

    private static ScheduledThreadPoolExecutor clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
                1,
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("outpost-http-progress")
                        .unstarted(task));
        clock.setRemoveOnCancelPolicy(true);
        return clock;
    }

    /** The reader wants so many chunks more. */
    public synchronized void want(long chunks) {
        if (isEnded || chunks <= 0) {
            return;
        }
        if (wanted == 0) {
            since = System.nanoTime() - spent;
        }
        wanted = wanted + chunks < 0 ? Long.MAX_VALUE : wanted + chunks;
        if (check == null) {
            schedule(pace.time().toNanos());
        }
    }

    /** A chunk came. */
    public synchronized void received(long more) {
        wanted -= wanted == Long.MAX_VALUE ? 0 : Math.min(1, wanted);
        bytes += more;
        if (bytes >= pace.bytes()) {
            bytes = 0;
            since = System.nanoTime();
        }
        spent = wanted == 0 ? System.nanoTime() - since : 0;
    }

    private void schedule(long nanos) {
        check = CLOCK.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        synchronized (this) {
            check = null;
            if (isEnded || wanted == 0) {
                return;
            }
            long left = pace.time().toNanos() - (System.nanoTime() - since);
            if (left > 0) {
                schedule(left);
                return;
            }
            isEnded = true;
        }
        Thread.ofVirtual().name("outpost-http-stalled").start(whenStalled);
    }

    /** The body is over, or nobody wants it any more. */
    @Override
    public synchronized void close() {
        isEnded = true;
        if (check != null) {
            check.cancel(false);
            check = null;
        }
    }
}

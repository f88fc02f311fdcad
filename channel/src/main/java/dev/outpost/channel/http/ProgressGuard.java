package dev.outpost.channel.http;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the pace of one body. Time counts only while the reader waits for chunks, so a pause of the reader is not a stall of the sender.
 * Thread-safe.
 */
public final class ProgressGuard implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor CLOCK = clock();

    private final Pace pace;
    private final Runnable whenStalled;
    /** The chunks that the reader has requested and not received. */
    private long wanted;
    /** The bytes since the body was last on pace. */
    private long bytes;
    /**
     * The time at which the measurement for these bytes began. While no chunk is requested, {@link #spent} holds the elapsed time instead.
     */
    private long since;

    private long spent;
    private boolean isEnded;
    private @Nullable ScheduledFuture<?> check;

    /**
     * Begins to watch, with no chunk requested.
     *
     * @param whenStalled runs once if the body is slower than the pace, on a separate virtual thread
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

    /** Records that the reader requests more chunks. */
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

    /** Records that a chunk of this many bytes has arrived. */
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

    /** Ends the watch, because the body has ended or its reader has stopped. */
    @Override
    public synchronized void close() {
        isEnded = true;
        if (check != null) {
            check.cancel(false);
            check = null;
        }
    }
}

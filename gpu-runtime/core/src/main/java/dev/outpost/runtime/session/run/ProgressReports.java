package dev.outpost.runtime.session.run;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.session.stats.SessionCounters;
import java.time.Duration;

/**
 * Reports the session's progress to its client from time to time. Only the thread that sends replies uses it, which
 * is the worker thread if replies are immediate.
 */
public final class ProgressReports {
    private static final int SEGMENTS = 16;
    private static final long NANOS = Duration.ofMillis(20).toNanos();

    /** The number of unacknowledged bytes up to which sending does not wait. */
    private static final long ROOMY_BYTES = 64 << 10;

    /** The bytes of a session's values, and their number. */
    public record Live(long bytes, long values) {}

    private final SessionContext context;
    private final ReliableLane control;
    private final Runnable beforeWaiting;
    private Live live;
    private boolean news;
    private long reportedSegments;
    private long reportedNanos;

    /** @param beforeWaiting called before a report that may have to wait for room */
    public ProgressReports(SessionContext context, ReliableLane control, Runnable beforeWaiting) {
        this.context = context;
        this.control = control;
        this.beforeWaiting = beforeWaiting;
        this.reportedNanos = context.runtime().now();
    }

    /** Requests a report. */
    public void note() {
        news = true;
    }

    /**
     * Works like {@link #note}, for a session that is ahead of its device.
     *
     * @param then the session's values at the launch of the work that has now run
     */
    public void note(Live then) {
        live = then;
        news = true;
    }

    /** Returns the session's current values. Called by the worker thread. */
    public Live live() {
        return new Live(context.memory().usedBytes(), context.values().size());
    }

    /** @param idle true if the session has nothing else to do */
    public boolean isDue(boolean idle) {
        return news
                && (idle
                        || context.faults().hasNews()
                        || segments() - reportedSegments >= SEGMENTS
                        || context.runtime().now() - reportedNanos >= NANOS);
    }

    public void send() throws InterruptedException {
        giveWay();
        control.send(take());
    }

    /**
     * Returns the report instead of sending it, for a caller that sends it together with another message, because a separate frame would
     * cost both sides more work.
     */
    public byte[] take() {
        news = false;
        reportedSegments = segments();
        reportedNanos = context.runtime().now();
        return encoded();
    }

    /** Reports the progress of a scan. */
    public void scanned(long scan, long iterations, boolean isOver) throws InterruptedException {
        giveWay();
        control.send(new ToClient.Scanned(scan, iterations, isOver).encode());
    }

    private void giveWay() {
        if (control.pendingBytes() > ROOMY_BYTES) {
            beforeWaiting.run();
        }
    }

    /** Encodes failures before the progress that includes them. */
    private byte[] encoded() {
        ByteWriter out = new ByteWriter();
        context.faults().news().forEach(message -> message.write(out));
        progress().write(out);
        return out.toByteArray();
    }

    private long segments() {
        return context.counters().segments.get();
    }

    private ToClient.Progress progress() {
        SessionCounters counters = context.counters();
        return new ToClient.Progress(
                counters.segments.get(),
                live == null ? context.memory().usedBytes() : live.bytes(),
                live == null ? context.values().size() : live.values(),
                counters.engineNanos.get(),
                counters.kernels.get(),
                counters.plansMade.get());
    }
}

package dev.outpost.runtime.session.run;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.session.stats.SessionCounters;
import java.time.Duration;

/**
 * Tells a client from time to time how far its session is. Used by the thread that sends replies alone: the worker, where they are
 * immediate.
 */
public final class ProgressReports {
    private static final int SEGMENTS = 16;
    private static final long NANOS = Duration.ofMillis(20).toNanos();

    /** While no more than this is unacknowledged, sending does not wait. */
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

    /** @param beforeWaiting called where a report may have to wait for room */
    public ProgressReports(SessionContext context, ReliableLane control, Runnable beforeWaiting) {
        this.context = context;
        this.control = control;
        this.beforeWaiting = beforeWaiting;
        this.reportedNanos = context.runtime().now();
    }

    /** There is something to tell. */
    public void note() {
        news = true;
    }

    /** As {@link #note}, of a session that is ahead of its device: what it had when it launched what has now run. */
    public void note(Live then) {
        live = then;
        news = true;
    }

    /** The values that there are now. By the worker. */
    public Live live() {
        return new Live(context.memory().usedBytes(), context.values().size());
    }

    /** @param idle whether the session has nothing else to do */
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
     * The report of {@link #send}, for a caller that sends something anyway: a frame of its own would cost both sides
     * another turn.
     */
    public byte[] take() {
        news = false;
        reportedSegments = segments();
        reportedNanos = context.runtime().now();
        return encoded();
    }

    /** Tells how far a scan is. */
    public void scanned(long scan, long iterations, boolean isOver) throws InterruptedException {
        giveWay();
        control.send(new ToClient.Scanned(scan, iterations, isOver).encode());
    }

    private void giveWay() {
        if (control.pendingBytes() > ROOMY_BYTES) {
            beforeWaiting.run();
        }
    }

    /** Failures come before the progress that covers them. */
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

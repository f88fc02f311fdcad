package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Message;
import java.time.Duration;

/** Tells a client from time to time how far its session is. Used by the worker alone. */
final class Reports {
    private static final int SEGMENTS = 16;
    private static final long NANOS = Duration.ofMillis(20).toNanos();

    /** While no more than this is unacknowledged, sending does not wait. */
    private static final long ROOMY_BYTES = 64 << 10;

    private final Workspace workspace;
    private final ReliableLane control;
    private boolean news;
    private long reportedSegments;
    private long reportedNanos;

    Reports(Workspace workspace, ReliableLane control) {
        this.workspace = workspace;
        this.control = control;
        this.reportedNanos = workspace.machine().now();
    }

    /** There is something to tell. */
    void note() {
        news = true;
    }

    /** @param idle whether the session has nothing else to do */
    boolean isDue(boolean idle) {
        return news
                && (idle
                        || workspace.faults().hasNews()
                        || segments() - reportedSegments >= SEGMENTS
                        || workspace.machine().now() - reportedNanos >= NANOS);
    }

    void send() throws InterruptedException {
        if (control.pendingBytes() > ROOMY_BYTES) {
            workspace.turn().giveBack();
        }
        control.send(take());
    }

    /** What {@link #send} would say, for who sends something anyway: a frame of its own would cost both sides another turn. */
    byte[] take() {
        news = false;
        reportedSegments = segments();
        reportedNanos = workspace.machine().now();
        return encoded();
    }

    /** Tells how far a scan is. */
    void scanned(long scan, long iterations, boolean over) throws InterruptedException {
        if (control.pendingBytes() > ROOMY_BYTES) {
            workspace.turn().giveBack();
        }
        control.send(new Message.Scanned(scan, iterations, over).encode());
    }

    /** What failed comes before the progress that covers it. */
    private byte[] encoded() {
        ByteWriter out = new ByteWriter();
        workspace.faults().news().forEach(message -> message.write(out));
        progress().write(out);
        return out.toByteArray();
    }

    private long segments() {
        return workspace.counters().segments.get();
    }

    private Message.Progress progress() {
        SessionCounters counters = workspace.counters();
        return new Message.Progress(
                counters.segments.get(),
                workspace.memory().usedBytes(),
                workspace.values().size(),
                counters.engineNanos.get(),
                counters.kernels.get(),
                counters.plansMade.get());
    }
}

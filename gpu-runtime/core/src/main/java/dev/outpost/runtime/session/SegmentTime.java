package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.OutpostException;

/** How long the kernels of the segment at hand have run, against what they may. Waiting does not count. */
final class SegmentTime {
    private final Counter engineNanos;
    private final Refusals refusals;
    private final long mostNanos;
    private long startedNanos;

    SegmentTime(Workspace workspace) {
        this.engineNanos = workspace.counters().engineNanos;
        this.refusals = workspace.machine().refusals();
        this.mostNanos = workspace.machine().limits().segmentTime().toNanos();
    }

    void begin() {
        startedNanos = engineNanos.get();
    }

    boolean isOver() {
        return engineNanos.get() - startedNanos > mostNanos;
    }

    OutpostException refusal() {
        return refusals.refuse(
                Limit.SEGMENT_TIME, "the kernels of one segment have run for over " + mostNanos / 1_000_000 + " ms");
    }
}

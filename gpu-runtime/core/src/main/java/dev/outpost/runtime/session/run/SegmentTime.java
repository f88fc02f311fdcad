package dev.outpost.runtime.session.run;

import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.schedule.SingleWriterLong;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.types.OutpostException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time for which the kernels of the current segment have run, and its limit. Waiting does not count. On an
 * asynchronous engine, only kernels that are known to have run count.
 */
public final class SegmentTime {
    private final SingleWriterLong engineNanos;
    private final DeviceMeter device;
    private final LimitCounters limitCounters;
    private final long maxNanos;
    private long startedNanos;
    /**
     * The device's nanoseconds of this segment. Each segment has its own counter, because reports of one segment may
     * arrive after the next has begun.
     */
    private AtomicLong told = new AtomicLong();

    public SegmentTime(SessionContext context) {
        this.engineNanos = context.counters().engineNanos;
        this.device = context.device();
        this.limitCounters = context.runtime().limitCounters();
        this.maxNanos = context.runtime().limits().segmentTime().toNanos();
    }

    public void begin() {
        if (device == null) {
            startedNanos = engineNanos.get();
        } else {
            told = new AtomicLong();
            device.countFor(told);
        }
    }

    public boolean isOver() {
        long nanos = device == null ? engineNanos.get() - startedNanos : told.get();
        return nanos > maxNanos;
    }

    public OutpostException refusal() {
        return limitCounters.refuse(
                RuntimeLimit.SEGMENT_TIME,
                "the kernels of one segment have run for over " + maxNanos / 1_000_000 + " ms");
    }
}

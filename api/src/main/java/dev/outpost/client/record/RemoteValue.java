package dev.outpost.client.record;

import dev.outpost.types.TensorType;

/**
 * A value on the machine: computed once, never changed. It is identified by a number that the client drew.
 *
 * <p>All mutable fields belong to the {@link RecordingState} and are guarded by its lock.
 */
public final class RemoteValue {
    private final ValueOwner epoch;
    private final long id;
    private final TensorType type;

    /**
     * The recorder whose open segment computes this value, or the mark of {@link OpenScans}; null after the segment is sealed or the scan
     * has ended.
     */
    SegmentRecorder producer;

    /** Which result of the producer's open segment this is. */
    int resultIndex;

    /** The recorder and number of the open segment that last took this value as an input, and the input's index. */
    SegmentRecorder consumer;

    long consumerSegment;
    int inputIndex;

    /** How many cells hold it; whoever recorded it is the first to. */
    int holders = 1;

    /** How many open segments have it as an input. */
    int pins;

    /** Whether an open segment already says that the value dies with it. */
    boolean dropped;

    /** Whether the machine has said that a fault took it. */
    boolean lost;

    /** True if the cache of reads may have elements of this value. */
    boolean read;

    RemoteValue(ValueOwner epoch, long id, TensorType type) {
        this.epoch = epoch;
        this.id = id;
        this.type = type;
    }

    ValueOwner epoch() {
        return epoch;
    }

    /** The program that made it while it was traced, or null. */
    ProgramTrace program() {
        SegmentRecorder recorder = producer;
        return recorder == null ? null : recorder.program();
    }

    /** Whether the machine that it was on is gone. */
    public boolean isLost() {
        return epoch.isOver();
    }

    /** A handle for something that lives as long; for a value that was just recorded and that nothing holds yet. */
    ValueHandle adopt(Object owner) {
        return epoch.adopt(owner, this);
    }

    /** As {@link #adopt}, for a value that something else holds as well. */
    public ValueHandle hold(Object owner) {
        return epoch.hold(owner, this);
    }

    /** Drops a value that was just recorded. */
    public void abandon() {
        epoch.abandon(this);
    }

    /** 1, 2, 3, … within the ledger. */
    public long id() {
        return id;
    }

    public TensorType type() {
        return type;
    }
}

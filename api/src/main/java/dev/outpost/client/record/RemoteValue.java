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

    /** The index among the results of the producer's open segment. */
    int resultIndex;

    /** The recorder and number of the open segment that last took this value as an input, and the input's index. */
    SegmentRecorder consumer;

    long consumerSegment;
    int inputIndex;

    /** The number of handles that hold this value. A recorded value begins with one hold, which its first handle takes over. */
    int holders = 1;

    /** The number of open segments that have this value as an input. */
    int pins;

    /** True if an open segment already frees the value at its end, or a free was sent. */
    boolean dropped;

    /** True if the machine has reported that the elements were lost by a fault, or if it will refuse them. */
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

    /** Returns the program that made this value while it was traced, or null. */
    ProgramTrace program() {
        SegmentRecorder recorder = producer;
        return recorder == null ? null : recorder.program();
    }

    /** Returns true if the instruction that computes the value was sent. Call it with the recording's lock held. */
    public boolean isSealed() {
        return producer == null;
    }

    /** Returns true if the session that has this value is over. */
    public boolean isLost() {
        return epoch.isOver();
    }

    /** Opens a handle that lives as long as {@code owner}, for a value that was just recorded and that nothing holds yet. */
    ValueHandle adopt(Object owner) {
        return epoch.adopt(owner, this);
    }

    /** Like {@link #adopt}, but for a value that something else holds as well. */
    public ValueHandle hold(Object owner) {
        return epoch.hold(owner, this);
    }

    /** Releases a value that was just recorded. */
    public void abandon() {
        epoch.abandon(this);
    }

    /** Returns the id: 1, 2, 3, … within the ledger. */
    public long id() {
        return id;
    }

    public TensorType type() {
        return type;
    }
}

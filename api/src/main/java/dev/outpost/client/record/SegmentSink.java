package dev.outpost.client.record;

import dev.outpost.protocol.op.Op;

/**
 * Receives recorded instructions and segments in the order of recording, and passes them to one machine, to the
 * members of a group, or to a journal. Its methods are called under the lock of the {@link RecordingState}, so they
 * must not block.
 */
public interface SegmentSink {
    /** Called when an instruction was recorded. */
    void recorded(Op op, Object[] operands, RemoteValue[] results);

    /** Called when a segment was sealed. */
    void segment(SealedSegment segment);

    /** Frees values that the program no longer holds. Each id is passed once, after the segments that use it. */
    void free(long[] ids);
}

package dev.outpost.client.record;

import dev.outpost.protocol.op.Op;

/**
 * Takes what was recorded, in the order of recording: to one machine, to the members of a group, or to a journal. Its methods are
 * called under the lock of the {@link RecordingState}, so they must not block.
 */
public interface SegmentSink {
    /** An instruction was recorded. */
    void recorded(Op op, Object[] operands, RemoteValue[] results);

    /** A segment was sealed. */
    void segment(SealedSegment segment);

    /** The program holds these values no more. They are named once each, behind the segments that use them. */
    void free(long[] ids);
}

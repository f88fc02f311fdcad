package dev.outpost.client.session;

import dev.outpost.client.program.ProgramDelivery;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.SegmentSink;

/**
 * Delivers recorded segments and questions about values to one machine or to the members of a group, in the order of recording. Its methods
 * are called under the lock of the recording, so they must not block.
 */
public interface SessionDelivery extends SegmentSink, ProgramDelivery {
    void fetch(long fetch, RemoteValue value);

    void explain(long request, RemoteValue value);

    /**
     * Returns the id that the answering machine has for the whole value. Call {@link #doneOnLead} after a message has named it to that
     * machine.
     */
    long onLead(RemoteValue value);

    /** Releases an id of {@link #onLead}. */
    void doneOnLead(RemoteValue value, long whole);

    /** Returns true if the machine keeps the program. */
    boolean keeps(RemoteProgram program);

    void explain(long request, RemoteProgram program);
}

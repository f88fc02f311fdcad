package dev.outpost.client;

import dev.outpost.client.stats.Traffic;
import dev.outpost.protocol.op.Op;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;

/**
 * Brings what was recorded on its way, in its order: to one machine or to the members of a group. Guarded by the ledger's lock, so
 * nothing here blocks.
 */
public interface SessionDelivery {
    /** An instruction was recorded. */
    void recorded(Op op, Object[] operands, RemoteValue[] results);

    /**
     * A segment was sealed.
     *
     * @param recorder whose it was; null where no thread of the program recorded it
     * @param sealing when sealing began, by the profile's clock
     */
    void segment(SegmentRecorder recorder, SegmentRecorder.Sealed sealed, long sealing);

    void free(long[] ids);

    /** Sees to it that the machine has a program; its {@linkplain #call call} comes next. */
    void define(RemoteProgram program);

    /**
     * Has the machine run a program that it has.
     *
     * @param consumed which inputs nobody holds any more
     * @param scan null for a plain call
     * @param bytes what the outputs take
     */
    void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes);

    void drop(RemoteProgram program);

    void fetch(long fetch, RemoteValue value);

    void explain(long request, RemoteValue value);

    /**
     * The id that the answering machine has for all of a value; to be {@linkplain #doneOnLead given up} once it was
     * named to that machine.
     */
    long onLead(RemoteValue value);

    void doneOnLead(RemoteValue value, long whole);

    /** Whether the machine keeps the program. */
    boolean keeps(RemoteProgram program);

    void explain(long request, RemoteProgram program);

    MachineStats stats(long waits, Traffic traffic, Provisioning provisioning);
}

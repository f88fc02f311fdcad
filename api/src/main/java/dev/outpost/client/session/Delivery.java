package dev.outpost.client.session;

import dev.outpost.client.link.Outbox;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RemoteMemory;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.SealedSegment;
import dev.outpost.client.record.SegmentTimes;
import dev.outpost.client.stats.RecordingCounters;
import dev.outpost.client.stats.Traffic;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.PeerRequest;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.message.SourceRequest;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;

/**
 * Encodes recorded segments and calls as messages for one session of a machine, in their order. Guarded by the ledger's lock, under which
 * messages also enter the outbox. So this object and the machine remember the same segments and programs.
 */
public final class Delivery implements SessionDelivery {
    private final Outbox outbox;
    private final InFlightLimiter limiter;
    private final RemoteMemory memory;
    private final ScanTable scans;
    /** Null if nothing is profiled. */
    private final SessionProfile profile;
    /** Null if nothing is logged. */
    private final InstructionLog log;

    private final RecordingCounters recordingCounters = new RecordingCounters();
    /** Null if another member of the group watches the structures. */
    private StructureWatch structures;

    private final SegmentCache cache = new SegmentCache();
    private final ProgramTable programs = new ProgramTable();

    Delivery(
            Outbox outbox,
            InFlightLimiter limiter,
            RemoteMemory memory,
            ScanTable scans,
            SessionProfile profile,
            InstructionLog log,
            StructureWatch structures) {
        this.outbox = outbox;
        this.limiter = limiter;
        this.memory = memory;
        this.scans = scans;
        this.profile = profile;
        this.log = log;
        this.structures = structures;
    }

    /** Turns off hints for this member. The members of a group get equal segments, so one member gives the hints for all. */
    public void giveNoHints() {
        structures = null;
    }

    @Override
    public void recorded(Op op, Object[] operands, RemoteValue[] results) {
        recordingCounters.recorded(op);
        if (log != null) {
            log.event("RECORD", "Instruction", 0, InstructionText.of(op, operands, results));
        }
    }

    @Override
    public void segment(SealedSegment segment) {
        Message message = message(segment);
        segment(segment, message, message);
    }

    /** Returns the message that makes the machine compute a segment. Send the segment before asking for another message. */
    public Message message(SealedSegment segment) {
        return cache.message(SegmentWriter.of(segment.graph()));
    }

    /**
     * Like {@link #segment(SealedSegment)}, but if the machine may get the segment from another member of its group.
     *
     * @param message the message of the segment
     * @param sent the message that is sent to this machine instead
     */
    public void segment(SealedSegment segment, Message message, Message sent) {
        int instructions = segment.graph().instructionCount();
        recordingCounters.sealed(message instanceof ToRuntime.RepeatSegment);
        if (structures != null) {
            structures.sealed(message, instructions);
        }
        long number = sealedOne(segment.lastingBytes());
        int bytes = outbox.add(sent, false);
        SegmentTimes times = segment.times();
        if (profile != null && times != null) {
            profile.sealed(times.track(), times.begunNanos(), times.sealingNanos(), number, instructions, bytes);
        }
        note("Segment", bytes, instructions + " instructions");
    }

    private long sealedOne(long bytes) {
        long number = limiter.sealedOne();
        memory.sealed(number, bytes);
        return number;
    }

    @Override
    public void free(long[] ids) {
        int bytes = outbox.add(new ToRuntime.Free(ids), false);
        note("Free", bytes, ids.length + " values");
    }

    // ---- programs

    @Override
    public void define(RemoteProgram program) {
        programs.require(program, this::send);
    }

    @Override
    public void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes) {
        if (scan != null) {
            scans.open(scan);
        }
        // The machine sends a scan's emissions without a request.
        send(programs.message(run, called, consumed, scan), scan != null);
        sealedOne(bytes);
        recordingCounters.sealed(true);
    }

    @Override
    public void drop(RemoteProgram program) {
        programs.drop(program, this::send);
    }

    private void send(Message message) {
        send(message, false);
    }

    private void send(Message message, boolean isUrgent) {
        int bytes = outbox.add(message, isUrgent);
        if (log != null) {
            log.message("SEND", message, bytes);
        }
    }

    // ---- questions

    @Override
    public void fetch(long fetch, RemoteValue value) {
        fetch(fetch, value.id());
    }

    public void fetch(long fetch, long value) {
        int bytes = outbox.add(new ToRuntime.Fetch(fetch, value), true);
        note("Fetch", bytes, "%" + value);
    }

    @Override
    public void explain(long request, RemoteValue value) {
        explain(request, value.id());
    }

    public void explain(long request, long value) {
        int bytes = outbox.add(ToRuntime.Request.explain(request, value), true);
        note("Explain", bytes, "%" + value);
    }

    @Override
    public long onLead(RemoteValue value) {
        return value.id();
    }

    @Override
    public void doneOnLead(RemoteValue value, long whole) {
        // The lead has the value itself under its own id, so nothing is to be released.
    }

    void ask(SourceRequest request) {
        send(new ToRuntime.AskSource(request), true);
    }

    void save(SaveRequest request) {
        send(new ToRuntime.SaveModel(request), true);
    }

    /** Sends a rare request. */
    void request(ToRuntime.Request request) {
        send(request, true);
    }

    /** Sends the values that have names. */
    void keep(Keep names) {
        send(ToRuntime.Request.of(names), false);
    }

    /** Takes over the programs of a paused session; the machine gets them with the state. */
    void continueFrom(Delivery paused) {
        programs.continueFrom(paused.programs);
    }

    /** Asks about the group that the session is a member of. */
    void ask(PeerRequest request) {
        send(new ToRuntime.AskPeers(request), true);
    }

    @Override
    public boolean keeps(RemoteProgram program) {
        return programs.keeps(program);
    }

    @Override
    public void explain(long request, RemoteProgram program) {
        int slot = programs.slot(program);
        int bytes = outbox.add(ToRuntime.Request.explainProgram(request, slot), true);
        note("ExplainProgram", bytes, "program " + slot);
    }

    // ---- reading

    MachineStats stats(long waits, Traffic traffic, Provisioning provisioning) {
        String hint = structures == null ? "" : structures.hint();
        return recordingCounters.stats(limiter.progress(), waits, traffic, provisioning, hint);
    }

    /** Returns true if the instruction log is on, so that {@link #runs} has an effect. */
    public boolean isLogged() {
        return log != null;
    }

    /** Logs an instruction that this member of a group runs. */
    public void runs(String instruction) {
        log.event("RUN", "Instruction", 0, instruction);
    }

    private void note(String what, long bytes, String detail) {
        if (log != null) {
            log.event("SEND", what, bytes, detail);
        }
    }
}

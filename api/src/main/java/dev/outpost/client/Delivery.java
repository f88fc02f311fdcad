package dev.outpost.client;

import dev.outpost.client.failures.FaultText;
import dev.outpost.client.link.Outbox;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.stats.Counts;
import dev.outpost.client.stats.Traffic;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.message.SourceRequest;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Op;
import dev.outpost.stats.MachineStats;
import dev.outpost.stats.Provisioning;

/**
 * Makes messages of what was recorded, in its order, for one incarnation of a machine. Guarded by the ledger's lock, under which
 * messages also enter the outbox: so the machine remembers of segments and programs what is remembered here.
 */
final class Delivery {
    private final Outbox outbox;
    private final InFlightLimiter gate;
    private final RemoteMemory memory;
    private final ScanTable scans;
    /** Null where nobody profiles. */
    private final SessionProfile profile;
    /** Null where nothing is logged. */
    private final InstructionLog log;

    private final Counts counts = new Counts();
    private final SegmentCache repeats = new SegmentCache();
    private final ProgramTable programs = new ProgramTable();

    Delivery(
            Outbox outbox,
            InFlightLimiter gate,
            RemoteMemory memory,
            ScanTable scans,
            SessionProfile profile,
            InstructionLog log) {
        this.outbox = outbox;
        this.gate = gate;
        this.memory = memory;
        this.scans = scans;
        this.profile = profile;
        this.log = log;
    }

    /** An instruction was recorded. */
    void recorded(Op op, Object[] operands, RemoteValue[] results) {
        counts.recorded(op);
        if (log != null) {
            log.event("RECORD", "Instruction", 0, InstructionText.of(op, operands, results));
        }
    }

    /** @param sealing when sealing began, by the profile's clock */
    void segment(SegmentRecorder recorder, SegmentRecorder.Sealed sealed, long sealing) {
        int instructions = sealed.writer().instructionCount();
        Message message = repeats.message(sealed.writer());
        counts.sealed(message instanceof ToRuntime.RepeatSegment);
        long number = sealedOne(sealed.lastingBytes());
        int bytes = outbox.add(message, false);
        if (profile != null) {
            profile.sealed(recorder.track, recorder.begunNanos, sealing, number, instructions, bytes);
        }
        note("Segment", bytes, instructions + " instructions");
    }

    private long sealedOne(long bytes) {
        long number = gate.sealedOne();
        memory.sealed(number, bytes);
        return number;
    }

    void free(long[] ids) {
        outbox.add(new ToRuntime.Free(ids), false);
        note("Free", 0, ids.length + " values");
    }

    // ---- programs

    /** Sees to it that the machine has a program; its {@linkplain #call call} comes next. */
    void define(RemoteProgram program) {
        programs.require(program, this::send);
    }

    /**
     * Has the machine run a program that it has.
     *
     * @param consumed which inputs nobody holds any more
     * @param scan null for a plain call
     * @param bytes what the outputs take
     */
    void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes) {
        if (scan != null) {
            scans.open(scan);
        }
        // What a scan emits comes unasked.
        send(programs.message(run, called, consumed, scan), scan != null);
        sealedOne(bytes);
        counts.sealed(true);
    }

    void drop(RemoteProgram program) {
        programs.drop(program, this::send);
    }

    private void send(Message message) {
        send(message, false);
    }

    private void send(Message message, boolean isUrgent) {
        int bytes = outbox.add(message, isUrgent);
        note(FaultText.name(message), bytes, FaultText.summary(message));
    }

    // ---- questions

    void fetch(long fetch, RemoteValue value) {
        outbox.add(new ToRuntime.Fetch(fetch, value.id()), true);
        note("Fetch", 0, "%" + value.id());
    }

    void explain(long request, RemoteValue value) {
        outbox.add(ToRuntime.Request.explain(request, value.id()), true);
        note("Explain", 0, "%" + value.id());
    }

    /** Asks about sources. */
    void ask(SourceRequest request) {
        send(new ToRuntime.AskSource(request), true);
    }

    void save(SaveRequest request) {
        send(new ToRuntime.SaveModel(request), true);
    }

    /** Whether the machine keeps the program. */
    boolean keeps(RemoteProgram program) {
        return programs.keeps(program);
    }

    void explain(long request, RemoteProgram program) {
        int slot = programs.slot(program);
        outbox.add(ToRuntime.Request.explainProgram(request, slot), true);
        note("ExplainProgram", 0, "program " + slot);
    }

    // ---- reading

    MachineStats stats(long waits, Traffic traffic, Provisioning provisioning) {
        return counts.stats(gate.progress(), waits, traffic, provisioning);
    }

    private void note(String what, long bytes, String detail) {
        if (log != null) {
            log.event("SEND", what, bytes, detail);
        }
    }
}

package dev.outpost.client.session;

import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSlots;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.function.Consumer;

/**
 * The programs that a machine keeps. If the table is full, the least recently called program is removed; it is sent
 * again when it is called. Guarded by the ledger's lock, like {@link SegmentCache}.
 */
public final class ProgramTable {
    /** A program's slot on the machine, and the arguments of its latest call, which the machine remembers. */
    private static final class Kept {
        final int slot;
        ProgramCall latest;

        Kept(int slot, ProgramCall latest) {
            this.slot = slot;
            this.latest = latest;
        }
    }

    private final LinkedHashMap<RemoteProgram, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final BitSet slots = new BitSet();
    private int instructions;

    /** Takes over the programs of another table, for a machine that has them in the same slots and has not run them yet. */
    void continueFrom(ProgramTable other) {
        other.kept.forEach((program, before) -> {
            kept.put(program, new Kept(before.slot, noCall(program)));
            slots.set(before.slot);
            instructions += program.instructions();
        });
    }

    private static ProgramCall noCall(RemoteProgram program) {
        return ProgramCall.none(program.boundInputs(), program.signature());
    }

    /** Sends a program unless the machine has it. The messages must be sent before the next call. */
    void require(RemoteProgram program, Consumer<Message> send) {
        if (kept.get(program) != null) {
            return;
        }
        while (kept.size() == ProgramSlots.COUNT
                || instructions + program.instructions() > ProgramSlots.MAX_TOTAL_INSTRUCTIONS) {
            drop(kept.sequencedKeySet().getFirst(), send);
        }
        int slot = slots.nextClearBit(0);
        slots.set(slot);
        kept.put(program, new Kept(slot, noCall(program)));
        instructions += program.instructions();
        send.accept(new ToRuntime.DefineProgram(slot, program.code()));
    }

    /** Returns the message that calls a program on the machine. Send it before asking for the next message. */
    Message message(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan) {
        RemoteProgram program = run.program();
        ProgramCall call = call(run, called, consumed, scan);
        Kept found = kept.get(program);
        byte[] changes = call.since(found.latest, program.signature());
        found.latest = call;
        return new ToRuntime.RunProgram(found.slot, scan == null ? 0 : scan.number(), changes);
    }

    /** Makes the message of a call. */
    public static ProgramCall call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan) {
        return new ProgramCall(
                run.iterations(),
                ids(called.inputs()),
                consumed,
                ids(called.outputs()),
                run.seed(),
                run.firstDraw(),
                run.numbers(),
                scan == null ? 0 : scan.firstFetch(),
                scan == null ? 0 : scan.granted());
    }

    private static long[] ids(RemoteValue[] values) {
        long[] ids = new long[values.length];
        for (int index = 0; index < ids.length; index++) {
            ids[index] = values[index].id();
        }
        return ids;
    }

    boolean keeps(RemoteProgram program) {
        return kept.containsKey(program);
    }

    /** Returns the slot of a program that the machine has. */
    int slot(RemoteProgram program) {
        return kept.get(program).slot;
    }

    /** Removes a program, and tells the machine that it need not keep the program. */
    void drop(RemoteProgram program, Consumer<Message> send) {
        Kept dropped = kept.remove(program);
        if (dropped != null) {
            send.accept(new ToRuntime.DropProgram(dropped.slot));
            instructions -= program.instructions();
            slots.clear(dropped.slot);
        }
    }
}

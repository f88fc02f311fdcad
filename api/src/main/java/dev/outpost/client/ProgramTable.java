package dev.outpost.client;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSlots;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which programs the machine keeps. The least recently called makes room, and is sent again when it is called. Guarded by
 * the session's lock, as {@link Repeats}.
 */
final class ProgramTable {
    private final LinkedHashMap<Integer, RemoteProgram> kept = new LinkedHashMap<>(16, 0.75f, true);
    private int instructions;

    /** Sees to it that the machine has a program; the messages must be sent before the next call. */
    void require(RemoteProgram program, Consumer<Message> send) {
        if (program.slot >= 0) {
            kept.get(program.slot);
            return;
        }
        Iterator<Map.Entry<Integer, RemoteProgram>> eldest = kept.entrySet().iterator();
        while (kept.size() == ProgramSlots.COUNT
                || instructions + program.instructions() > ProgramSlots.MAX_TOTAL_INSTRUCTIONS) {
            RemoteProgram dropped = eldest.next().getValue();
            eldest.remove();
            forget(dropped, send);
        }
        program.slot = emptySlot();
        program.latest = ProgramCall.none(program.boundInputs(), program.wiring());
        kept.put(program.slot, program);
        instructions += program.instructions();
        send.accept(new Message.DefineProgram(program.slot, program.code()));
    }

    /** The message that calls a program which the machine has; it must be sent before the next is asked for. */
    Message message(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan) {
        RemoteProgram program = run.program();
        ProgramCall call = new ProgramCall(
                run.iterations(),
                ids(called.inputs()),
                consumed,
                ids(called.outputs()),
                run.seed(),
                run.firstDraw(),
                run.numbers(),
                scan == null ? 0 : scan.firstFetch(),
                scan == null ? 0 : scan.granted());
        byte[] changes = call.since(program.latest, program.wiring());
        program.latest = call;
        return new Message.RunProgram(program.slot, scan == null ? 0 : scan.number(), changes);
    }

    private static long[] ids(RemoteValue[] values) {
        long[] ids = new long[values.length];
        for (int index = 0; index < ids.length; index++) {
            ids[index] = values[index].id();
        }
        return ids;
    }

    /** The program is not wanted any more. */
    void drop(RemoteProgram program, Consumer<Message> send) {
        if (program.slot >= 0) {
            kept.remove(program.slot);
            forget(program, send);
        }
    }

    private void forget(RemoteProgram program, Consumer<Message> send) {
        send.accept(new Message.DropProgram(program.slot));
        instructions -= program.instructions();
        program.slot = -1;
        program.latest = null;
    }

    private int emptySlot() {
        int slot = 0;
        while (kept.containsKey(slot)) {
            slot++;
        }
        return slot;
    }
}

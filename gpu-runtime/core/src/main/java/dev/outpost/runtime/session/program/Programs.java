package dev.outpost.runtime.session.program;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.run.LoadedProgram;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** The programs of a session, in slots that the client names. Used by the worker thread alone. */
public final class Programs {
    private final LimitCounters limitCounters;
    private final LoadedProgram[] slots = new LoadedProgram[ProgramSlots.COUNT];
    private final byte[][] codes = new byte[ProgramSlots.COUNT][];
    private int instructions;

    public Programs(LimitCounters limitCounters) {
        this.limitCounters = limitCounters;
    }

    public void define(ToRuntime.DefineProgram message) {
        int slot = message.program();
        if (slot >= ProgramSlots.COUNT) {
            throw refuse("program " + slot + " is over the " + ProgramSlots.COUNT + " of a session");
        }
        if (message.code().length > ProgramSlots.MAX_BYTES) {
            throw refuse(
                    "a program of " + message.code().length + " bytes is over " + ProgramSlots.MAX_BYTES + " bytes");
        }
        ProgramCode code = ProgramCode.read(message.code());
        remove(slot);
        requireInputs(code.inputs());
        requireRoom(code.instructions());
        slots[slot] = new LoadedProgram(code);
        codes[slot] = message.code();
        instructions += code.instructions();
    }

    public void drop(ToRuntime.DropProgram message) {
        get(message.program());
        remove(message.program());
    }

    public LoadedProgram get(int slot) {
        LoadedProgram program = slot < ProgramSlots.COUNT ? slots[slot] : null;
        if (program == null) {
            throw new MalformedException("slot " + slot + " holds no program");
        }
        return program;
    }

    /** Returns the code of all programs, by slot. */
    public SortedMap<Integer, byte[]> codes() {
        SortedMap<Integer, byte[]> kept = new TreeMap<>();
        for (int slot = 0; slot < codes.length; slot++) {
            if (codes[slot] != null) {
                kept.put(slot, codes[slot]);
            }
        }
        return kept;
    }

    public void clear() {
        Arrays.fill(slots, null);
        Arrays.fill(codes, null);
        instructions = 0;
    }

    private void remove(int slot) {
        if (slots[slot] != null) {
            instructions -= slots[slot].code().instructions();
            slots[slot] = null;
            codes[slot] = null;
        }
    }

    private void requireInputs(int inputs) {
        if (inputs > ProgramSlots.MAX_INPUTS) {
            throw refuse("a program of " + inputs + " inputs is over " + ProgramSlots.MAX_INPUTS + " inputs");
        }
    }

    private void requireRoom(int more) {
        if (more > ProgramSlots.MAX_INSTRUCTIONS) {
            throw refuse("a program of " + more + " instructions is over " + ProgramSlots.MAX_INSTRUCTIONS
                    + " instructions");
        }
        if (instructions + more > ProgramSlots.MAX_TOTAL_INSTRUCTIONS) {
            throw refuse("the programs of a session are over " + ProgramSlots.MAX_TOTAL_INSTRUCTIONS
                    + " instructions together");
        }
    }

    private OutpostException refuse(String problem) {
        return limitCounters.refuse(RuntimeLimit.PROGRAMS, problem);
    }
}

package dev.outpost.client;

import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.Wiring;
import dev.outpost.protocol.types.TensorType;

/** A program that was traced, and where the machine keeps it, if it does. What changes is guarded by the session's lock. */
public final class RemoteProgram {
    private final ClientSession session;
    private final byte[] code;
    private final int instructions;
    private final Wiring wiring;
    private final int inputs;
    private final TensorType[] outputTypes;

    /** Where the machine keeps it; -1 where it does not. */
    int slot = -1;

    /** What the machine knows of the latest call. */
    ProgramCall latest;

    RemoteProgram(
            ClientSession session, byte[] code, int instructions, Wiring wiring, int inputs, TensorType[] outputTypes) {
        this.session = session;
        this.code = code;
        this.instructions = instructions;
        this.wiring = wiring;
        this.inputs = inputs;
        this.outputTypes = outputTypes;
    }

    /** The recorder of the machine that it runs on. */
    public Recorder recorder() {
        return session;
    }

    /** How many instructions a run has. */
    public int instructions() {
        return instructions;
    }

    byte[] code() {
        return code;
    }

    Wiring wiring() {
        return wiring;
    }

    /** How many values a call takes. */
    int boundInputs() {
        return wiring.boundInputs(inputs);
    }

    TensorType[] outputTypes() {
        return outputTypes;
    }
}

package dev.outpost.client;

import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.types.TensorType;

/** A program that was traced. */
public final class RemoteProgram {
    private final Recorder recorder;
    private final byte[] code;
    private final int instructions;
    private final ProgramSignature wiring;
    private final int inputs;
    private final TensorType[] outputTypes;

    RemoteProgram(
            Recorder recorder,
            byte[] code,
            int instructions,
            ProgramSignature wiring,
            int inputs,
            TensorType[] outputTypes) {
        this.recorder = recorder;
        this.code = code;
        this.instructions = instructions;
        this.wiring = wiring;
        this.inputs = inputs;
        this.outputTypes = outputTypes;
    }

    /** The recorder of the machine that it runs on. */
    public Recorder recorder() {
        return recorder;
    }

    /** How many instructions a run has. */
    public int instructions() {
        return instructions;
    }

    byte[] code() {
        return code;
    }

    ProgramSignature wiring() {
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

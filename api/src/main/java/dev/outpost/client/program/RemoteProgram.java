package dev.outpost.client.program;

import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.types.TensorType;
import java.util.Map;

/** A program that was traced. */
public final class RemoteProgram {
    private final Recorder recorder;
    private final byte[] code;
    private final int instructions;
    private final ProgramSignature signature;
    private final int inputs;
    private final TensorType[] outputTypes;
    private final Map<Integer, SignalPlacement> signals;

    RemoteProgram(
            Recorder recorder,
            byte[] code,
            int instructions,
            ProgramSignature signature,
            int inputs,
            TensorType[] outputTypes,
            Map<Integer, SignalPlacement> signals) {
        this.recorder = recorder;
        this.code = code;
        this.instructions = instructions;
        this.signature = signature;
        this.inputs = inputs;
        this.outputTypes = outputTypes;
        this.signals = Map.copyOf(signals);
    }

    /** The recorder of the machine that it runs on. */
    public Recorder recorder() {
        return recorder;
    }

    /** How many instructions a run has. */
    public int instructions() {
        return instructions;
    }

    /** By instruction, where it is computed, if it was recorded within a signal. */
    public Map<Integer, SignalPlacement> signals() {
        return signals;
    }

    /** Its instructions and its signature, as {@code ProgramCode} reads them. Nobody changes the bytes. */
    public byte[] code() {
        return code;
    }

    public ProgramSignature signature() {
        return signature;
    }

    /** How many values a call takes. */
    public int boundInputs() {
        return signature.boundInputs(inputs);
    }

    public TensorType[] outputTypes() {
        return outputTypes;
    }
}

package dev.outpost.client.program;

import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.types.TensorType;
import java.util.Map;

/** A program that was traced. */
public final class RemoteProgram {
    private final Recorder recorder;
    private final RecordedGraph graph;
    private final byte[] code;
    private final ProgramSignature signature;
    private final TensorType[] outputTypes;
    private final Map<Integer, SignalPlacement> signals;

    RemoteProgram(
            Recorder recorder,
            RecordedGraph graph,
            byte[] code,
            ProgramSignature signature,
            TensorType[] outputTypes,
            Map<Integer, SignalPlacement> signals) {
        this.recorder = recorder;
        this.graph = graph;
        this.code = code;
        this.signature = signature;
        this.outputTypes = outputTypes;
        this.signals = Map.copyOf(signals);
    }

    /** Returns the recorder of the machine that the program runs on. */
    public Recorder recorder() {
        return recorder;
    }

    /** Returns the number of instructions of a run. */
    public int instructions() {
        return graph.instructionCount();
    }

    /** Returns the graph of a run over inputs of these types. */
    public Graph graph(TensorType... inputTypes) {
        return graph.graph(inputTypes);
    }

    /** Returns the placement of each instruction that was recorded within a signal, by instruction. */
    public Map<Integer, SignalPlacement> signals() {
        return signals;
    }

    /** Returns the instructions and the signature, in the format of {@code ProgramCode}. The caller must not change the bytes. */
    public byte[] code() {
        return code;
    }

    public ProgramSignature signature() {
        return signature;
    }

    /** Returns the number of values that a call takes. */
    public int boundInputs() {
        return signature.boundInputs(graph.inputCount());
    }

    public TensorType[] outputTypes() {
        return outputTypes;
    }
}

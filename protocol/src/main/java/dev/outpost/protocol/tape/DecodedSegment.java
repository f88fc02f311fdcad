package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.MalformedException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A segment and its graph, each instruction checked by its op's own rule. */
public final class DecodedSegment {
    private final Segment segment;
    private final Graph graph;
    /** The position of each instruction in the structure, by its index. */
    private final int[] starts;

    private DecodedSegment(Segment segment, Graph graph, int[] starts) {
        this.segment = segment;
        this.graph = graph.withSources(segment.sources());
        this.starts = starts;
    }

    static DecodedSegment of(Segment segment, TensorType[] inputTypes) {
        StructureCode structure = segment.structure();
        InstructionReader in = new InstructionReader(structure, 0, new ByteReader(segment.data()));
        GraphBuilder graph = new GraphBuilder(inputTypes);
        int[] starts = new int[structure.instructionCount()];
        for (int index = 0; index < starts.length; index++) {
            starts[index] = in.position();
            in.read(graph.valueCount());
            graph.add(in.op(), in.operands(), in.immediates());
            if (graph.valueCount() > structure.valueCount()) {
                throw new MalformedException("the instructions define more results than the segment says");
            }
        }
        if (graph.valueCount() != structure.valueCount()) {
            throw new MalformedException("the instructions do not define as many results as the segment says");
        }
        in.expectEnd();
        structure.forEachDropped(graph::drop);
        return new DecodedSegment(segment, graph.build(), starts);
    }

    /**
     * Decodes another run of the same structure over inputs of the same types. Instructions without data are reused instead of read
     * again.
     */
    public DecodedSegment next(Segment run) {
        if (run.structure() != segment.structure()) {
            throw new IllegalArgumentException("another structure");
        }
        boolean isSame = Arrays.equals(run.data(), segment.data());
        return new DecodedSegment(run, isSame ? graph : graph.with(changed(run.data())), starts);
    }

    /**
     * Reads the instructions that have data. The structure decides which ones have data and their types. The data decides if the op accepts
     * them.
     */
    private List<Instruction> changed(byte[] bytes) {
        ByteReader data = new ByteReader(bytes);
        List<Instruction> changed = new ArrayList<>();
        for (Instruction before : graph.instructions()) {
            if (graph.hasData(before)) {
                changed.add(changed(before, data));
            }
        }
        data.expectEnd("data");
        return changed;
    }

    private Instruction changed(Instruction before, ByteReader data) {
        InstructionReader in = new InstructionReader(segment.structure(), starts[before.index()], data);
        in.read(before.result(0));
        if (!before.hasTypesOf(in.op())) {
            throw new MalformedException("the types of a segment depend on its data");
        }
        return before.withData(in.op(), in.immediates());
    }

    public Segment segment() {
        return segment;
    }

    public Graph graph() {
        return graph;
    }
}

package dev.outpost.protocol.ir;

import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions over values of known types. Planners read graphs, rewrites derive new graphs from them, and a {@link GraphBuilder} builds
 * them. Immutable.
 */
public final class Graph {
    private final Structure structure;
    private final List<Instruction> instructions;
    private final TensorType[] types;
    private final BitSet withData;
    private final long dataBytes;
    /** The source lines, by the index of an instruction; null if no line is known. */
    private final String @Nullable [] sources;

    Graph(
            Structure structure,
            List<Instruction> instructions,
            TensorType[] types,
            BitSet withData,
            long dataBytes,
            String @Nullable [] sources) {
        this.structure = structure;
        this.instructions = instructions;
        this.types = types;
        this.withData = withData;
        this.dataBytes = dataBytes;
        this.sources = sources;
    }

    /** Returns the graph with some instructions changed. Each of them replaces the instruction with the same index. */
    public Graph with(List<Instruction> changed) {
        if (changed.isEmpty()) {
            return this;
        }
        Instruction[] replaced = instructions.toArray(Instruction[]::new);
        changed.forEach(instruction -> replaced[instruction.index()] = instruction);
        return new Graph(structure, List.of(replaced), types, withData, dataBytes, sources);
    }

    /**
     * Returns the same instructions with other source lines of the user's program.
     *
     * @param lines the lines by the index of an instruction, each null if unknown; null if all are unknown. Not copied.
     */
    public Graph withSources(String @Nullable [] lines) {
        return lines == sources ? this : new Graph(structure, instructions, types, withData, dataBytes, lines);
    }

    /**
     * Returns a graph of the same values with fewer instructions or other operands, as a planner makes it. The instructions keep their
     * {@linkplain Instruction#index index} of this graph, which may differ from their position in the list.
     */
    public Graph rewritten(List<Instruction> remaining) {
        return new Graph(structure, List.copyOf(remaining), types, withData, dataBytes, sources);
    }

    /** Returns true if the inputs of the graph have these types. */
    public boolean isOver(TensorType[] inputTypes) {
        return Arrays.equals(inputTypes, 0, inputTypes.length, types, 0, structure.inputCount());
    }

    /** Returns true if an instruction has data: attributes or immediates that may differ in another run. */
    public boolean hasData(Instruction instruction) {
        return withData.get(instruction.index());
    }

    /** Returns the number of bytes of the numbers in instructions and of the elements of literals. */
    public long dataBytes() {
        return dataBytes;
    }

    public Structure structure() {
        return structure;
    }

    /** Returns the instructions, in an order in which they can run. */
    public List<Instruction> instructions() {
        return instructions;
    }

    /** Returns the number of inputs and results together. */
    public int valueCount() {
        return types.length;
    }

    public TensorType type(int value) {
        return types[value];
    }

    /** Returns the user's line that recorded an instruction; empty if unknown. */
    public String source(int instruction) {
        return sources == null || sources[instruction] == null ? "" : sources[instruction];
    }
}

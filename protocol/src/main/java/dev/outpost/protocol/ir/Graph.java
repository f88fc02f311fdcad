package dev.outpost.protocol.ir;

import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Instructions over values of known types: what a planner reads, and what rewrites make of each other's. A {@link
 * GraphBuilder} makes it. Immutable.
 */
public final class Graph {
    private final Structure structure;
    private final List<Instruction> instructions;
    private final TensorType[] types;
    private final BitSet withData;
    private final long dataBytes;
    /** By the place of an instruction; null where no line is known. */
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

    /** The same instructions, some of them with other numbers: each takes the place of the one with its index. */
    public Graph with(List<Instruction> changed) {
        if (changed.isEmpty()) {
            return this;
        }
        Instruction[] replaced = instructions.toArray(Instruction[]::new);
        changed.forEach(instruction -> replaced[instruction.index()] = instruction);
        return new Graph(structure, List.of(replaced), types, withData, dataBytes, sources);
    }

    /**
     * The same instructions, recorded at other lines of the user's program.
     *
     * @param lines by the place of an instruction, null where it is not known; null where none is. Taken over.
     */
    public Graph withSources(String @Nullable [] lines) {
        return lines == sources ? this : new Graph(structure, instructions, types, withData, dataBytes, lines);
    }

    /**
     * The same values with fewer instructions, or with other operands: what a planner makes of it. The instructions keep
     * their {@linkplain Instruction#index place} in this graph, which is no longer their place in the list.
     */
    public Graph rewritten(List<Instruction> remaining) {
        return new Graph(structure, List.copyOf(remaining), types, withData, dataBytes, sources);
    }

    /** Whether its inputs are of these types. */
    public boolean isOver(TensorType[] inputTypes) {
        return Arrays.equals(inputTypes, 0, inputTypes.length, types, 0, structure.inputCount());
    }

    /** Whether an instruction has data: attributes or immediates that another run may have otherwise. */
    public boolean hasData(Instruction instruction) {
        return withData.get(instruction.index());
    }

    /** The bytes of numbers in instructions and of elements of literals. */
    public long dataBytes() {
        return dataBytes;
    }

    public Structure structure() {
        return structure;
    }

    /** In an order in which they can run. */
    public List<Instruction> instructions() {
        return instructions;
    }

    /** Inputs and results together. */
    public int valueCount() {
        return types.length;
    }

    public TensorType type(int value) {
        return types[value];
    }

    /** The user's line that recorded the instruction at a place, or an empty string. */
    public String source(int instruction) {
        return sources == null || sources[instruction] == null ? "" : sources[instruction];
    }
}

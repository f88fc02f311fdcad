package dev.outpost.protocol.ir;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.op.AttributeWriter;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Graph}, instruction by instruction. Inputs have the first numbers. Results have the next ones, in the order in which they
 * are added. Not thread-safe.
 */
public final class GraphBuilder {
    private final List<Instruction> instructions = new ArrayList<>();
    private final BitSet withData = new BitSet();
    private final BitSet dropped = new BitSet();
    private final Key key = new Key();
    private int inputCount;
    private TensorType[] types;
    private int valueCount;
    private long dataBytes;
    private String @Nullable [] sources;

    /** @param inputs the types of the inputs */
    public GraphBuilder(TensorType... inputs) {
        this.inputCount = inputs.length;
        this.types = inputs.clone();
        this.valueCount = inputs.length;
    }

    /** Adds an input, before the first instruction. Returns its number. */
    public int input(TensorType type) {
        if (!instructions.isEmpty()) {
            throw new IllegalStateException("an input of type " + type + " comes after " + instructions.getLast());
        }
        inputCount++;
        return define(type);
    }

    /** Returns the number of values so far. */
    public int valueCount() {
        return valueCount;
    }

    public TensorType type(int value) {
        return types[value];
    }

    /**
     * Adds an op over values of this graph. Throws the op's {@code OpException} for operands that it does not accept.
     *
     * @param operands the numbers of the values; not copied
     */
    public Instruction add(Op op, int... operands) {
        return add(op, operands, new Scalar[operands.length]);
    }

    /**
     * Adds an op like {@link #add(Op, int...)}, with numbers as operands.
     *
     * @param operands the numbers of values, or {@link Instruction#IMMEDIATE}; not copied
     * @param immediates a number for each operand that is one, otherwise null; not copied
     */
    public Instruction add(Op op, int[] operands, Scalar[] immediates) {
        TensorType[] operandTypes = new TensorType[operands.length];
        for (int position = 0; position < operands.length; position++) {
            operandTypes[position] = operands[position] == Instruction.IMMEDIATE
                    ? new TensorType(immediates[position].dtype(), Shape.SCALAR)
                    : types[defined(operands[position])];
        }
        return append(new Instruction(
                instructions.size(), op, operands, immediates, operandTypes, op.infer(operandTypes), valueCount));
    }

    /**
     * Adds an instruction of another graph, over values of this one.
     *
     * @param operands values of the same types as the instruction's operands, and {@link Instruction#IMMEDIATE} for a number; not
     *     copied
     */
    public Instruction copy(Instruction instruction, int... operands) {
        for (int operand : operands) {
            if (operand != Instruction.IMMEDIATE) {
                defined(operand);
            }
        }
        return append(instruction.at(instructions.size(), operands, valueCount));
    }

    private int defined(int value) {
        if (value < 0 || value >= valueCount) {
            throw new IllegalArgumentException("an operand is value " + value + " of " + valueCount);
        }
        return value;
    }

    private Instruction append(Instruction instruction) {
        int bytes = key.write(instruction);
        withData.set(instructions.size(), bytes > 0);
        dataBytes += bytes;
        instructions.add(instruction);
        for (int position = 0; position < instruction.resultCount(); position++) {
            define(instruction.resultType(position));
        }
        return instruction;
    }

    private int define(TensorType type) {
        if (valueCount == types.length) {
            types = Arrays.copyOf(types, 2 * valueCount + 16);
        }
        types[valueCount] = type;
        return valueCount++;
    }

    /** Sets the user's line that recorded the latest instruction. */
    public void source(String line) {
        int latest = instructions.size() - 1;
        if (sources == null || latest >= sources.length) {
            sources = sources == null ? new String[latest + 16] : Arrays.copyOf(sources, 2 * latest + 16);
        }
        sources[latest] = line;
    }

    /** Marks an input or a result that is not used after the graph has run. All other values outlive the graph. */
    public void drop(int value) {
        dropped.set(defined(value));
    }

    /** Builds the graph so far. Later additions do not change it. */
    public Graph build() {
        String @Nullable [] lines = sources == null ? null : Arrays.copyOf(sources, instructions.size());
        return new Graph(
                new Structure(
                        instructions.size(),
                        inputCount,
                        valueCount - inputCount,
                        (BitSet) dropped.clone(),
                        key.signature(),
                        key.attributes()),
                List.copyOf(instructions),
                Arrays.copyOf(types, valueCount),
                (BitSet) withData.clone(),
                dataBytes,
                lines);
    }

    /** The structure of the instructions so far. */
    private static final class Key {
        private final ByteWriter structure = new ByteWriter(64);
        private final ByteWriter data = new ByteWriter();
        private final AttributeWriter attributes = new AttributeWriter(structure, data);
        /**
         * For each instruction: its op code, its number of operands, and the operands' values; a negative value is the dtype of an
         * immediate.
         */
        private int[] wiring = new int[64];

        private int size;

        /** Writes an instruction. Returns the number of bytes of its data. */
        int write(Instruction instruction) {
            int operands = instruction.operandCount();
            if (size + 2 + operands > wiring.length) {
                wiring = Arrays.copyOf(wiring, 2 * wiring.length + operands);
            }
            wiring[size++] = instruction.op().code();
            wiring[size++] = operands;
            int immediates = 0;
            for (int position = 0; position < operands; position++) {
                int value = instruction.operand(position);
                if (value == Instruction.IMMEDIATE) {
                    immediates++;
                    value = -1 - instruction.immediate(position).dtype().code();
                }
                wiring[size++] = value;
            }
            instruction.op().writeAttributes(attributes);
            int bytes = data.size() + Long.BYTES * immediates;
            data.clear();
            return bytes;
        }

        int[] signature() {
            return Arrays.copyOf(wiring, size);
        }

        byte[] attributes() {
            return structure.toByteArray();
        }
    }
}

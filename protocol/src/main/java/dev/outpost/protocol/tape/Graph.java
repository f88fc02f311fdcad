package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.op.AttributeReader;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpTable;
import dev.outpost.protocol.op.Placement;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The instructions of a segment with every type known, each checked by its op's own rule. */
public final class Graph {
    private final Structure structure;
    private final byte[] data;
    private final List<Instruction> instructions;
    private final TensorType[] types;
    private final int[] starts;
    private final BitSet withData;

    private Graph(Graph whole, List<Instruction> instructions) {
        this.structure = whole.structure;
        this.data = whole.data;
        this.instructions = List.copyOf(instructions);
        this.types = whole.types;
        this.starts = whole.starts;
        this.withData = whole.withData;
    }

    private Graph(Reader read) {
        this.structure = read.structure;
        this.data = read.data;
        this.instructions = List.of(read.instructions);
        this.types = read.types;
        this.starts = read.starts;
        this.withData = read.withData;
    }

    /**
     * Reads a segment over inputs of the given types. A reference to nowhere or a wrong count is a
     * {@link MalformedException}; operands that an op refuses are its {@code OpException}.
     */
    public static Graph read(Segment segment, TensorType[] inputTypes) {
        return new Reader(segment, inputTypes).read();
    }

    /**
     * Reads another run of the same structure over inputs of the same types: what has no data is as it was, and is not
     * read again.
     */
    public Graph next(Segment segment) {
        if (segment.structure() != structure) {
            throw new IllegalArgumentException("another structure");
        }
        return Arrays.equals(segment.data(), data) ? this : new Reader(segment, types).readNext(this);
    }

    /** The same instructions, some of them with other numbers: each takes the place of the one with its index. */
    public Graph with(List<Instruction> changed) {
        if (changed.isEmpty()) {
            return this;
        }
        Instruction[] replaced = instructions.toArray(Instruction[]::new);
        changed.forEach(instruction -> replaced[instruction.index()] = instruction);
        return new Graph(this, List.of(replaced));
    }

    /** Whether its inputs are of these types. */
    public boolean isOver(TensorType[] inputTypes) {
        return Arrays.equals(inputTypes, 0, inputTypes.length, types, 0, structure.inputCount());
    }

    /**
     * The same values with fewer instructions, or with other operands: what a planner makes of it. The instructions keep
     * their {@linkplain Instruction#index place} in this graph, which is no longer their place in the list.
     */
    public Graph rewritten(List<Instruction> remaining) {
        return new Graph(this, remaining);
    }

    /** Whether an instruction of the segment has data: attributes or immediates that another run may have otherwise. */
    public boolean hasData(Instruction instruction) {
        return withData.get(instruction.index());
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

    private static final class Reader {
        private final Structure structure;
        private final byte[] data;
        private final ByteReader dataReader;
        private final Instruction[] instructions;
        private final TensorType[] types;
        private final int[] starts;
        private final BitSet withData = new BitSet();
        private AttributeReader attributes;
        private int valueCount;

        Reader(Segment segment, TensorType[] inputTypes) {
            structure = segment.structure();
            data = segment.data();
            dataReader = new ByteReader(data);
            instructions = new Instruction[structure.instructionCount()];
            types = new TensorType[structure.inputCount() + structure.resultCount()];
            starts = new int[instructions.length];
            System.arraycopy(inputTypes, 0, types, 0, structure.inputCount());
            valueCount = structure.inputCount();
        }

        Graph read() {
            ByteReader wiring = wiring(0);
            for (int index = 0; index < instructions.length; index++) {
                starts[index] = structure.instructions().length - wiring.remaining();
                readInstruction(index, wiring);
            }
            if (valueCount != types.length) {
                throw new MalformedException("the instructions do not define as many results as the segment says");
            }
            wiring.expectEnd("instructions");
            dataReader.expectEnd("data");
            return new Graph(this);
        }

        /** Whether an instruction has data, and which types it has, is structure; what its op accepts may be data. */
        Graph readNext(Graph earlier) {
            for (int index = 0; index < instructions.length; index++) {
                starts[index] = earlier.starts[index];
                if (earlier.withData.get(index)) {
                    readInstruction(index, wiring(starts[index]));
                } else {
                    instructions[index] = earlier.instructions.get(index);
                    define(instructions[index]);
                }
            }
            dataReader.expectEnd("data");
            if (!Arrays.equals(types, earlier.types)) {
                throw new MalformedException("the types of a segment depend on its data");
            }
            return new Graph(this);
        }

        private ByteReader wiring(int from) {
            return new ByteReader(structure.instructions(), from, structure.instructions().length);
        }

        private void readInstruction(int index, ByteReader wiring) {
            attributes = new AttributeReader(wiring, dataReader);
            int dataLeft = dataReader.remaining();
            int code = wiring.smallInt("op code");
            int arity = OpTable.arity(code);
            int count = arity == Op.VARIADIC ? wiring.count("operand count", 1) : arity;
            int[] operands = new int[count];
            Scalar[] immediates = new Scalar[count];
            TensorType[] operandTypes = new TensorType[count];
            for (int position = 0; position < count; position++) {
                readOperand(position, operands, immediates);
                operandTypes[position] = operands[position] == Instruction.IMMEDIATE
                        ? new TensorType(immediates[position].dtype(), Shape.SCALAR)
                        : types[operands[position]];
            }
            Op op = OpTable.read(code, attributes);
            if (op instanceof Placement
                    && Arrays.stream(operands).anyMatch(operand -> operand == Instruction.IMMEDIATE)) {
                // Its memory is not to be shared: it may go between instructions.
                throw new MalformedException(op.label() + " of a number that stands in the instruction");
            }
            TensorType[] results = op.infer(operandTypes);
            instructions[index] = new Instruction(index, op, operands, immediates, operandTypes, results, valueCount);
            define(instructions[index]);
            withData.set(index, dataReader.remaining() < dataLeft);
        }

        private void readOperand(int position, int[] operands, Scalar[] immediates) {
            long encoded = attributes.structure().varint();
            long payload = encoded >>> 2;
            switch ((int) encoded & 3) {
                case SegmentWriter.RESULT ->
                    operands[position] = reference(valueCount - payload, structure.inputCount(), valueCount);
                case SegmentWriter.INPUT -> operands[position] = reference(payload, 0, structure.inputCount());
                case SegmentWriter.IMMEDIATE -> {
                    operands[position] = Instruction.IMMEDIATE;
                    DType dtype = DType.ofCode((int) Math.min(payload, Byte.MAX_VALUE));
                    immediates[position] = new Scalar(dtype, dataReader.fixed64());
                }
                default -> throw new MalformedException("an operand is of no known kind");
            }
        }

        private static int reference(long value, int from, int to) {
            if (value < from || value >= to) {
                throw new MalformedException("an operand refers to value " + value + " outside " + from + " to " + to);
            }
            return (int) value;
        }

        private void define(Instruction instruction) {
            for (int position = 0; position < instruction.resultCount(); position++) {
                if (valueCount == types.length) {
                    throw new MalformedException("the instructions define more results than the segment says");
                }
                types[valueCount++] = instruction.resultType(position);
            }
        }
    }
}

package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.op.AttributeReader;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpTable;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/** The instructions of a segment with every type known, each checked by its op's own rule. */
public final class Graph {
    private final Structure structure;
    private final List<Instruction> instructions;
    private final TensorType[] types;

    private Graph(Structure structure, List<Instruction> instructions, TensorType[] types) {
        this.structure = structure;
        this.instructions = List.copyOf(instructions);
        this.types = types;
    }

    /**
     * Reads a segment over inputs of the given types. A reference to nowhere or a wrong count is a
     * {@link MalformedException}; operands that an op refuses are its {@code OpException}.
     */
    public static Graph read(Segment segment, TensorType[] inputTypes) {
        return new Reader(segment, inputTypes).read();
    }

    public Structure structure() {
        return structure;
    }

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
        private final ByteReader wiring;
        private final AttributeReader attributes;
        private final TensorType[] types;
        private int valueCount;

        Reader(Segment segment, TensorType[] inputTypes) {
            structure = segment.structure();
            wiring = new ByteReader(structure.instructions());
            attributes = new AttributeReader(wiring, new ByteReader(segment.data()));
            types = new TensorType[structure.inputCount() + structure.resultCount()];
            System.arraycopy(inputTypes, 0, types, 0, structure.inputCount());
            valueCount = structure.inputCount();
        }

        Graph read() {
            List<Instruction> instructions = new ArrayList<>(structure.instructionCount());
            for (int index = 0; index < structure.instructionCount(); index++) {
                instructions.add(readInstruction(index));
            }
            if (valueCount != types.length) {
                throw new MalformedException("the instructions do not define as many results as the segment says");
            }
            wiring.expectEnd("instructions");
            attributes.data().expectEnd("data");
            return new Graph(structure, instructions, types);
        }

        private Instruction readInstruction(int index) {
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
            TensorType[] results = op.infer(operandTypes);
            int first = define(results);
            return new Instruction(index, op, operands, immediates, operandTypes, results, first);
        }

        private void readOperand(int position, int[] operands, Scalar[] immediates) {
            long encoded = wiring.varint();
            long payload = encoded >>> 2;
            switch ((int) encoded & 3) {
                case SegmentWriter.RESULT ->
                    operands[position] = reference(valueCount - payload, structure.inputCount(), valueCount);
                case SegmentWriter.INPUT -> operands[position] = reference(payload, 0, structure.inputCount());
                case SegmentWriter.IMMEDIATE -> {
                    operands[position] = Instruction.IMMEDIATE;
                    DType dtype = DType.ofCode((int) Math.min(payload, Byte.MAX_VALUE));
                    immediates[position] = new Scalar(dtype, attributes.data().fixed64());
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

        private int define(TensorType[] results) {
            int first = valueCount;
            for (TensorType result : results) {
                if (valueCount == types.length) {
                    throw new MalformedException("the instructions define more results than the segment says");
                }
                types[valueCount++] = result;
            }
            return first;
        }
    }
}

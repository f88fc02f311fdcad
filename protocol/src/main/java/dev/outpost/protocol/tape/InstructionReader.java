package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AttributeReader;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpTable;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Scalar;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the instructions of a segment one after the other: the op of each, its operands and its numbers. */
final class InstructionReader {
    private final StructureCode code;
    private final AttributeReader attributes;
    private @Nullable Op op;
    private int[] operands = {};
    private Scalar[] immediates = {};

    /** @param from the position of the first instruction to read, in the bytes of the structure's instructions */
    InstructionReader(StructureCode code, int from, ByteReader data) {
        this.code = code;
        this.attributes =
                new AttributeReader(new ByteReader(code.instructions(), from, code.instructions().length), data);
    }

    /** Returns the position of the next instruction. */
    int position() {
        return code.instructions().length - attributes.structure().remaining();
    }

    /** @param defined the number of values before the instruction */
    void read(int defined) {
        int number = attributes.structure().smallInt("op code");
        int arity = OpTable.arity(number);
        int count = arity == Op.VARIADIC ? attributes.structure().count("operand count", 1) : arity;
        operands = new int[count];
        immediates = new Scalar[count];
        boolean hasImmediate = false;
        for (int position = 0; position < count; position++) {
            readOperand(position, defined);
            hasImmediate |= operands[position] == Instruction.IMMEDIATE;
        }
        op = OpTable.read(number, attributes);
        if (op instanceof PlacementOp && hasImmediate) {
            // A result of such an op may share the memory of its operand, but the memory of an immediate may be freed
            // between instructions.
            throw new MalformedException(op.label() + " of a number that stands in the instruction");
        }
    }

    private void readOperand(int position, int defined) {
        long encoded = attributes.structure().varint();
        long payload = encoded >>> 2;
        switch ((int) encoded & 3) {
            case SegmentWriter.RESULT -> operands[position] = reference(defined - payload, code.inputCount(), defined);
            case SegmentWriter.INPUT -> operands[position] = reference(payload, 0, code.inputCount());
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

    /** Fails if anything follows the last instruction. */
    void expectEnd() {
        attributes.structure().expectEnd("instructions");
        attributes.data().expectEnd("data");
    }

    Op op() {
        return Objects.requireNonNull(op);
    }

    /** Returns the numbers of values, or {@link Instruction#IMMEDIATE}. The caller may keep the array. */
    int[] operands() {
        return operands;
    }

    /** Returns the number of each operand that is an immediate, otherwise null. The caller may keep the array. */
    Scalar[] immediates() {
        return immediates;
    }
}

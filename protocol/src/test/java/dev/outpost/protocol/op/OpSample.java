package dev.outpost.protocol.op;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;

/**
 * One op of the table with valid attributes and operands.
 *
 * @param op the op
 * @param operands types that it accepts
 * @param otherData the same op with one attribute changed that kernels are handed: a plan serves both
 * @param otherStructure the same op with one attribute changed that a plan depends on
 */
public record OpSample(Op op, List<TensorType> operands, List<Op> otherData, List<Op> otherStructure) {

    static OpSample of(Op op, TensorType... operands) {
        return new OpSample(op, List.of(operands), List.of(), List.of());
    }

    OpSample data(Op... variants) {
        return new OpSample(op, operands, List.of(variants), otherStructure);
    }

    OpSample structure(Op... variants) {
        return new OpSample(op, operands, otherData, List.of(variants));
    }

    public TensorType[] infer() {
        return op.infer(operands.toArray(TensorType[]::new));
    }

    /** The bytes that an op writes into each of the two parts. */
    record Written(byte[] structure, byte[] data) {
        static Written of(Op op) {
            ByteWriter structure = new ByteWriter();
            ByteWriter data = new ByteWriter();
            op.writeAttributes(new AttributeWriter(structure, data));
            return new Written(structure.toByteArray(), data.toByteArray());
        }

        boolean sameStructure(Written other) {
            return Arrays.equals(structure, other.structure);
        }

        boolean sameData(Written other) {
            return Arrays.equals(data, other.data);
        }
    }

    @Override
    public String toString() {
        return op.label();
    }
}

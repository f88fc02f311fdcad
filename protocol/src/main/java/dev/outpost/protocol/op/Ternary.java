package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** Elementwise ops with three operands, which are broadcast to a common shape. The wire codes are 128 to 135. */
public enum Ternary implements Op {
    /** Operand 1 where operand 0 (bool) is true, operand 2 elsewhere. */
    WHERE(128, "where");

    private final OpSignature signature;

    Ternary(int code, String label) {
        signature = new OpSignature(code, label, 3);
    }

    @Override
    public OpSignature signature() {
        return signature;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireDType(this, "the condition", DType.BOOL, operands[0]);
        Op.requireSameDType(this, operands[1], operands[2]);
        Shape values = Shape.broadcast(label(), operands[1].shape(), operands[2].shape());
        return Op.one(operands[1].dtype(), Shape.broadcast(label(), operands[0].shape(), values));
    }
}

package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Returns the original index of each row before the exchanges of a {@link LuFactor}: int32 {@code [..., k]} to int64 {@code [..., rows]}.
 * An invalid row number is a user fault.
 *
 * @param rows (structure) the number of rows, at least k
 */
public record PivotOrder(long rows) implements Factorization {
    static final OpSignature SIGNATURE = new OpSignature(204, "pivot_order", 1);

    static PivotOrder read(AttributeReader in) {
        return new PivotOrder(in.structure().varint());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(rows);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireDType(this, "the pivots", DType.INT32, operands[0]);
        MatrixChecks.requireRank(this, 1, operands[0]);
        Shape pivots = operands[0].shape();
        long steps = pivots.size(pivots.rank() - 1);
        if (rows < steps || rows > Integer.MAX_VALUE) {
            throw new OpException(
                    label(), "there must be as many rows as pivots, below 2^31, got " + rows + " and " + pivots);
        }
        return Op.one(DType.INT64, MatrixChecks.leading(pivots, 1, rows));
    }
}

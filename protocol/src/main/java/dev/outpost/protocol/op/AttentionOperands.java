package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The rules for query, key and value of attention and its gradient, and for the mask after their other operands. */
final class AttentionOperands {
    private static final int BATCH = 0;
    private static final int HEADS = 1;
    private static final int ROWS = 2;
    private static final int FEATURES = 3;

    private AttentionOperands() {}

    /** @param count the number of operands without a mask */
    static void require(Op op, int count, TensorType... operands) {
        if (operands.length != count && operands.length != count + 1) {
            throw new OpException(
                    op.label(), count + " operands are needed, and perhaps a mask, got " + operands.length);
        }
        TensorType query = operands[0];
        if (!query.dtype().isFloating()) {
            throw new OpException(op.label(), "needs a floating dtype, got " + query + DTypeAdvice.CAST_FIRST);
        }
        for (int operand = 0; operand < 3; operand++) {
            Op.requireSameDType(op, query, operands[operand]);
            requireSizes(op, operands[operand].shape());
        }
        requireFitting(op, query.shape(), operands[1].shape(), operands[2].shape());
        if (operands.length > count) {
            requireMask(op, query, operands[1].shape(), operands[count]);
        }
    }

    private static void requireSizes(Op op, Shape shape) {
        boolean fits = shape.rank() == 4;
        for (int dim = HEADS; fits && dim <= FEATURES; dim++) {
            fits = shape.size(dim) <= Integer.MAX_VALUE;
        }
        if (!fits) {
            throw new OpException(
                    op.label(), "four dimensions are needed, all but the first of them below 2^31, got " + shape);
        }
    }

    private static void requireFitting(Op op, Shape query, Shape key, Shape value) {
        boolean same = query.size(BATCH) == key.size(BATCH)
                && key.size(BATCH) == value.size(BATCH)
                && key.size(HEADS) == value.size(HEADS)
                && key.size(ROWS) == value.size(ROWS)
                && query.size(FEATURES) == key.size(FEATURES);
        if (!same) {
            throw new OpException(
                    op.label(), "query, key and value do not fit, got " + query + ", " + key + " and " + value);
        }
        if (key.size(ROWS) == 0 || key.size(FEATURES) == 0 || value.size(FEATURES) == 0) {
            throw new OpException(
                    op.label(), "at least one key and one feature are needed, got " + key + " and " + value);
        }
        long groups = key.size(HEADS);
        if (groups == 0 ? query.size(HEADS) != 0 : query.size(HEADS) % groups != 0) {
            throw new OpException(
                    op.label(), "heads must divide into groups, got " + query.size(HEADS) + " and " + groups);
        }
    }

    private static void requireMask(Op op, TensorType query, Shape key, TensorType mask) {
        Shape scores = scores(query.shape(), key);
        if (mask.shape().rank() != scores.rank() || !mask.shape().broadcastsTo(scores)) {
            throw new OpException(
                    op.label(),
                    "the mask must have four dimensions that broadcast to " + scores + ", got " + mask.shape());
        }
        if (mask.dtype() != DType.BOOL && mask.dtype() != query.dtype()) {
            throw new OpException(
                    op.label(),
                    "the mask must be bool or of the query's dtype, got " + mask.dtype() + " and " + query.dtype());
        }
    }

    /** Returns the shape with a number for each query and key. */
    static Shape scores(Shape query, Shape key) {
        return Shape.of(query.size(BATCH), query.size(HEADS), query.size(ROWS), key.size(ROWS));
    }

    /** Returns the shape of a result with a row of value features for each query. */
    static Shape output(Shape query, Shape value) {
        return Shape.of(query.size(BATCH), query.size(HEADS), query.size(ROWS), value.size(FEATURES));
    }

    /** Returns the shape of a result with a number for each query. */
    static Shape rows(Shape query) {
        return Shape.of(query.size(BATCH), query.size(HEADS), query.size(ROWS));
    }
}

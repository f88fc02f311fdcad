package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Finds the largest element of each window of {@code [planes, height, width]}. The results are these elements, and the index of each in its
 * plane (int64, row-major). The first of several equal elements is chosen, and NaN counts as larger than all numbers. Padding is never
 * chosen. It is a primitive, because a composition would copy every element once for each window that contains it.
 *
 * @param window (structure) height and width
 * @param rows (structure) how the window moves down
 * @param columns (structure) how the window moves across
 * @param ceil (structure) true if the last windows may reach beyond the end
 */
public record MaxPool(Shape window, Slide rows, Slide columns, boolean ceil) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(168, "max_pool2d", 1);

    static MaxPool read(AttributeReader in) {
        return new MaxPool(in.shape(), Slide.read(in), Slide.read(in), in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.shape(window);
        rows.write(out);
        columns.write(out);
        out.flag(ceil);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Shape input = operands[0].shape();
        requireFloating(operands[0]);
        if (window.rank() != 2 || input.rank() != 3) {
            throw new OpException(
                    label(), "planes and a window of two sizes are needed, got " + input + " and " + window);
        }
        requireSmall(window.size(0), input.size(1));
        requireSmall(window.size(1), input.size(2));
        Shape places = Shape.of(
                input.size(0),
                rows.poolingPlaces(label(), input.size(1), window.size(0), ceil),
                columns.poolingPlaces(label(), input.size(2), window.size(1), ceil));
        return new TensorType[] {new TensorType(operands[0].dtype(), places), new TensorType(DType.INT64, places)};
    }

    private void requireFloating(TensorType operand) {
        if (!operand.dtype().isFloating()) {
            throw new OpException(label(), "needs a floating dtype, got " + operand + DTypeAdvice.CAST_FIRST);
        }
    }

    private void requireSmall(long length, long size) {
        if (length > Integer.MAX_VALUE || size > Integer.MAX_VALUE) {
            throw new OpException(label(), "sizes must be below 2^31, got window " + length + " and input " + size);
        }
    }
}

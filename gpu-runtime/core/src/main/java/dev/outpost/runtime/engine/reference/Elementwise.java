package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Shape;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** Ops that compute each element of the result from the operands' elements at its index. */
final class Elementwise {
    private Elementwise() {}

    static void unary(Unary op, Array x, Array out) {
        if (op == Unary.COPY) {
            Movement.copy(x, out);
        } else if (x.dtype().isFloating()) {
            mapDoubles(UnaryMeaning.ofDoubles(op), x, out);
        } else {
            mapLongs(UnaryMeaning.ofLongs(op, x.dtype()), x, out);
        }
    }

    private static void mapDoubles(DoubleUnaryOperator meaning, Array x, Array out) {
        ElementCursor source = ElementCursor.of(x);
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.put(meaning.applyAsDouble(source.nextDouble()));
        }
    }

    private static void mapLongs(LongUnaryOperator meaning, Array x, Array out) {
        ElementCursor source = ElementCursor.of(x);
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.put(meaning.applyAsLong(source.nextLong()));
        }
    }

    static void binary(Binary op, Array x, Array y, Array out) {
        if (x.dtype().isFloating()) {
            combineDoubles(BinaryMeaning.ofDoubles(op, x.dtype()), x, y, out);
        } else {
            combineLongs(BinaryMeaning.ofLongs(op), x, y, out);
        }
    }

    private static void combineDoubles(DoubleBinaryOperator meaning, Array x, Array y, Array out) {
        ElementCursor left = ElementCursor.expanded(x, out.shape());
        ElementCursor right = ElementCursor.expanded(y, out.shape());
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.put(meaning.applyAsDouble(left.nextDouble(), right.nextDouble()));
        }
    }

    private static void combineLongs(LongBinaryOperator meaning, Array x, Array y, Array out) {
        ElementCursor left = ElementCursor.expanded(x, out.shape());
        ElementCursor right = ElementCursor.expanded(y, out.shape());
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            target.put(meaning.applyAsLong(left.nextLong(), right.nextLong()));
        }
    }

    static void ternary(Ternary op, Array x, Array y, Array z, Array out) {
        switch (op) {
            case WHERE -> where(x, y, z, out);
        }
    }

    private static void where(Array condition, Array x, Array y, Array out) {
        Shape shape = out.shape();
        ElementCursor choice = ElementCursor.expanded(condition, shape);
        ElementCursor whenTrue = ElementCursor.expanded(x, shape);
        ElementCursor whenFalse = ElementCursor.expanded(y, shape);
        ElementCursor target = ElementCursor.of(out);
        for (long count = shape.elements(); count > 0; count--) {
            int first = whenTrue.nextPosition();
            int second = whenFalse.nextPosition();
            if (choice.nextLong() != 0) {
                target.putFrom(ElementCursor.heap(x), first);
            } else {
                target.putFrom(ElementCursor.heap(y), second);
            }
        }
    }

    static void cast(Array x, Array out) {
        if (x.dtype() == out.dtype()) {
            Movement.copy(x, out);
        } else if (x.dtype().isFloating()) {
            mapDoubles(DoubleUnaryOperator.identity(), x, out);
        } else {
            mapLongs(LongUnaryOperator.identity(), x, out);
        }
    }
}

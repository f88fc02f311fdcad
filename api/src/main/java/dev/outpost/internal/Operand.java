package dev.outpost.internal;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.numbers.LiveNumber;
import dev.outpost.client.numbers.LiveScalar;
import dev.outpost.types.DType;
import dev.outpost.types.NumberRange;
import dev.outpost.types.OpException;
import dev.outpost.types.Promotion;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** An operand of an op: a {@link Tensor}, or a number that travels inside the instruction. There are no other kinds. */
public interface Operand {
    TensorType type();

    /** Returns the operand's rank in the promotion of dtypes. */
    Promotion.Rank rank();

    /** Converts to another dtype. Returns this operand if it has the dtype. */
    Operand cast(DType dtype);

    /**
     * A Java number.
     *
     * @param scalar its value
     * @param live computes the value for each run of a program; null if it is constant
     */
    record Immediate(Scalar scalar, LiveNumber live) implements Operand {
        Immediate(Scalar scalar) {
            this(scalar, null);
        }

        @Override
        public TensorType type() {
            return new TensorType(scalar.dtype(), Shape.SCALAR);
        }

        @Override
        public Promotion.Rank rank() {
            return Promotion.Rank.NUMBER;
        }

        /** Returns the operand in the form that a recorder takes. */
        Object stored() {
            return live == null ? scalar : new LiveScalar(scalar, live);
        }

        @Override
        public Immediate cast(DType dtype) {
            return new Immediate(scalar.to(dtype), live);
        }
    }

    /** Returns a number with PyTorch's dtype: float32 for fractions, int64 for whole numbers. */
    static Immediate of(Number number) {
        ArgumentChecks.required(number, "the number");
        if (number instanceof LiveNumber live) {
            return new Immediate(Scalar.of(DType.FLOAT32, live.doubleValue()), live);
        }
        boolean whole = number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte;
        return new Immediate(
                whole ? Scalar.of(DType.INT64, number.longValue()) : Scalar.of(DType.FLOAT32, number.doubleValue()));
    }

    /** Returns a number as an element of a dtype. Throws if the dtype cannot hold it. */
    static Immediate fitting(String op, Number number, DType dtype) {
        Immediate given = of(number);
        if (given.live() == null) {
            requireFits(op, given.scalar(), dtype);
        }
        return given.cast(dtype);
    }

    static void requireFits(String op, Scalar scalar, DType dtype) {
        if (!scalar.fits(dtype)) {
            NumberRange range = NumberRange.of(dtype);
            throw new OpException(
                    op,
                    scalar + " does not fit " + dtype + ", which holds " + Scalar.of(dtype, range.lowest()) + " to "
                            + Scalar.of(dtype, range.largest()));
        }
    }

    static Immediate of(boolean value) {
        return new Immediate(Scalar.of(value));
    }

    /** Returns a number in a given dtype. */
    static Immediate of(DType dtype, double value) {
        return new Immediate(Scalar.of(dtype, value));
    }

    static Immediate of(DType dtype, long value) {
        return new Immediate(Scalar.of(dtype, value));
    }
}

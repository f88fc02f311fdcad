package dev.outpost.ops;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.HostShapes;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.ops.Ranges;
import dev.outpost.internal.transfer.ArraySource;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.lang.reflect.Array;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** Creates tensors, or uploads data of the program. The default dtype is float32. */
public interface MachineOps extends RandomMachineOps {
    @Override
    RemoteMachine self();

    // ---- from the program's data; arrays may be reused at once

    default Tensor tensor(HostTensor values) {
        return Creation.upload(self(), ArgumentChecks.required(values, "the HostTensor"));
    }

    /** Uploads elements as a vector of float32. */
    default Tensor tensor(float[] values) {
        return tensor(values, lengthOf(values));
    }

    /**
     * Uploads elements in row-major order as float32, in this shape. An empty shape creates a scalar. Copies the array and does not
     * wait.
     *
     * {@snippet file="OpExamplesTest.java" region="tensor"}
     *
     * @param values the elements, as many as the shape has
     * @param shape the sizes; one may be -1, and then follows from the others
     * @throws OpException if the shape has another number of elements
     */
    default Tensor tensor(float[] values, long... shape) {
        return Creation.upload(self(), DType.FLOAT32, shapeOf(values, shape), ArraySource.of(values));
    }

    /** Uploads elements as a vector of float64. */
    default Tensor tensor(double[] values) {
        return tensor(values, lengthOf(values));
    }

    /** Uploads elements in row-major order as float64, in this shape. An empty shape creates a scalar. */
    default Tensor tensor(double[] values, long... shape) {
        return Creation.upload(self(), DType.FLOAT64, shapeOf(values, shape), ArraySource.of(values));
    }

    /** Uploads elements as a vector of int64. */
    default Tensor tensor(long[] values) {
        return tensor(values, lengthOf(values));
    }

    /** Uploads elements in row-major order as int64, in this shape. An empty shape creates a scalar. */
    default Tensor tensor(long[] values, long... shape) {
        return Creation.upload(self(), DType.INT64, shapeOf(values, shape), ArraySource.of(values));
    }

    /** Uploads elements as a vector of int32. */
    default Tensor tensor(int[] values) {
        return tensor(values, lengthOf(values));
    }

    /** Uploads elements in row-major order as int32, in this shape. An empty shape creates a scalar. */
    default Tensor tensor(int[] values, long... shape) {
        return Creation.upload(self(), DType.INT32, shapeOf(values, shape), ArraySource.of(values));
    }

    /** Uploads elements as a vector of bool. */
    default Tensor tensor(boolean[] values) {
        return tensor(values, lengthOf(values));
    }

    /** Uploads elements in row-major order as bool, in this shape. An empty shape creates a scalar. */
    default Tensor tensor(boolean[] values, long... shape) {
        return tensor(HostTensor.of(values, shapeOf(values, shape).toArray()));
    }

    /**
     * Uploads nested arrays, such as {@code float[][]} or {@code long[][][]}: one dimension for each level, and the dtype of the
     * innermost arrays. Arrays of boxed numbers are read as lists: whole numbers int64, others float32.
     * Copies the arrays and does not wait.
     *
     * {@snippet file="OpExamplesTest.java" region="nestedTensor"}
     *
     * @throws OpException if the arrays of one level differ in length, or hold something else than numbers or booleans; the message
     *     has the index
     */
    default Tensor tensor(Object[] nested) {
        return tensor(HostTensor.of(ArgumentChecks.required(nested, "the values")));
    }

    /**
     * Uploads a list of numbers, booleans, primitive arrays or further lists, as {@code torch.tensor} does: whole numbers are int64,
     * other numbers float32.
     *
     * {@snippet file="OpExamplesTest.java" region="listTensor"}
     *
     * @throws OpException as for {@link #tensor(Object[])}
     */
    default Tensor tensor(List<?> nested) {
        return tensor(HostTensor.of(ArgumentChecks.required(nested, "the values")));
    }

    /**
     * Creates a zero-dimensional tensor: int64 for a whole Java number, float32 for any other.
     *
     * {@snippet file="OpExamplesTest.java" region="scalar"}
     */
    default Tensor scalar(Number value) {
        return Creation.full(
                TensorDevice.of(self()), Shape.SCALAR, Operand.of(value).scalar());
    }

    /** Returns a zero-dimensional tensor of bool. */
    default Tensor scalar(boolean value) {
        return Creation.full(TensorDevice.of(self()), Shape.SCALAR, Scalar.of(value));
    }

    // ---- constants

    /**
     * Creates zeros of a shape, as float32.
     *
     * {@snippet file="OpExamplesTest.java" region="zeros"}
     *
     * @throws OpException if a size is negative
     */
    default Tensor zeros(long... shape) {
        return full(0, DType.FLOAT32, shape);
    }

    /** Like {@link #zeros(long...)}, but with another dtype. */
    default Tensor zeros(DType dtype, long... shape) {
        return full(0, dtype, shape);
    }

    /**
     * Creates ones of a shape, as float32.
     *
     * @throws OpException if a size is negative
     */
    default Tensor ones(long... shape) {
        return full(1, DType.FLOAT32, shape);
    }

    /**
     * Like {@link #ones(long...)}, but with another dtype.
     *
     * {@snippet file="OpExamplesTest.java" region="ones"}
     */
    default Tensor ones(DType dtype, long... shape) {
        return full(1, dtype, shape);
    }

    /**
     * Creates a tensor of this dtype and shape in which each element is the number.
     *
     * {@snippet file="OpExamplesTest.java" region="full"}
     *
     * @throws OpException if the dtype cannot hold the number, or a size is negative
     */
    default Tensor full(Number value, DType dtype, long... shape) {
        return Creation.full(
                TensorDevice.of(self()),
                ArgumentChecks.shape(shape),
                "full",
                value,
                ArgumentChecks.required(dtype, "the dtype"));
    }

    /**
     * Returns 0, 1, …, {@code end - 1} as int64, of shape {@code [end]}.
     *
     * {@snippet file="OpExamplesTest.java" region="arange"}
     *
     * @throws OpException if the end is negative
     */
    default Tensor arange(long end) {
        return arange(0L, end, 1L, DType.INT64);
    }

    /** Returns {@code start, start + step, …} up to but not including {@code end}, as int64. */
    default Tensor arange(long start, long end, long step) {
        return arange(start, end, step, DType.INT64);
    }

    /** Returns {@code start, start + step, …} up to but not including {@code end}. */
    default Tensor arange(Number start, Number end, Number step, DType dtype) {
        return Ranges.arange(TensorDevice.of(self()), start, end, step, dtype);
    }

    /**
     * Returns {@code steps} evenly spaced numbers from {@code start} to {@code end}, both included, as float32.
     *
     * {@snippet file="OpExamplesTest.java" region="linspace"}
     *
     * @throws OpException if the number of steps is negative
     */
    default Tensor linspace(double start, double end, long steps) {
        return linspace(start, end, steps, DType.FLOAT32);
    }

    default Tensor linspace(double start, double end, long steps, DType dtype) {
        return Scope.tidy(() -> Ranges.linspace(TensorDevice.of(self()), start, end, steps, dtype));
    }

    /** Returns {@code base} to the power of {@link #linspace}, as float32. */
    default Tensor logspace(double start, double end, long steps, double base) {
        return logspace(start, end, steps, base, DType.FLOAT32);
    }

    default Tensor logspace(double start, double end, long steps, double base, DType dtype) {
        return Scope.tidy(() -> Ranges.logspace(TensorDevice.of(self()), start, end, steps, base, dtype));
    }

    /**
     * Returns the identity matrix, {@code [size, size]}, as float32.
     *
     * {@snippet file="OpExamplesTest.java" region="eye"}
     */
    default Tensor eye(long size) {
        return eye(size, size, DType.FLOAT32);
    }

    /** Returns ones on the diagonal of {@code [rows, columns]}, zeros elsewhere. */
    default Tensor eye(long rows, long columns, DType dtype) {
        ArgumentChecks.shape(rows, columns);
        return Scope.tidy(() -> {
            Tensor diagonal = arange(rows).unsqueeze(1).eq(arange(columns).unsqueeze(0));
            return diagonal.to(dtype);
        });
    }

    /**
     * Returns the rows and the columns, {@code [2, count]} of int64, of a matrix's elements on and below a diagonal.
     */
    default Tensor trilIndices(long rows, long columns, long offset) {
        return triangle(rows, row -> Math.clamp(row + offset + 1, 0, columns), columns, offset, true);
    }

    /**
     * Returns the rows and the columns, {@code [2, count]} of int64, of a matrix's elements on and above a diagonal.
     */
    default Tensor triuIndices(long rows, long columns, long offset) {
        return triangle(rows, row -> columns - Math.clamp(row + offset, 0, columns), columns, offset, false);
    }

    private Tensor triangle(long rows, LongUnaryOperator count, long columns, long offset, boolean lower) {
        ArgumentChecks.shape(rows, columns);
        long elements = LongStream.range(0, rows).map(count).sum();
        return Scope.tidy(() -> {
            Tensor matrix = ones(DType.BOOL, rows, columns);
            Tensor inside = lower ? matrix.tril(offset) : matrix.triu(offset);
            return Dispatch.apply(new Nonzero(elements), inside).t().contiguous();
        });
    }

    private static Shape shapeOf(Object array, long[] sizes) {
        return HostShapes.shapeFor(lengthOf(array), sizes);
    }

    private static int lengthOf(Object array) {
        return Array.getLength(ArgumentChecks.required(array, "the array"));
    }

    /** Fails unless a count is at least 0. */
    static long requireCount(String op, long count) {
        if (count < 0) {
            throw new OpException(op, "the number of steps must not be negative, got " + count);
        }
        return count;
    }
}

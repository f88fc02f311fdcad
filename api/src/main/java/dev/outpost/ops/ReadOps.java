package dev.outpost.ops;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.transfer.ArraySink;
import dev.outpost.internal.transfer.Reading;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.concurrent.CompletableFuture;

/**
 * Methods that read values. Most waits of a program for the machine happen in them. A read transfers only the bytes
 * of the view.
 */
public interface ReadOps {
    Tensor self();

    /**
     * Starts to fetch the current values. Later writes to the tensor do not change them, and closing the tensor does not cancel the
     * fetch. The future fails with the remote fault that affected the values. Does not wait.
     *
     * {@snippet file="MachineExamplesTest.java" region="fetch"}
     */
    default CompletableFuture<HostTensor> fetch() {
        DType dtype = self().dtype();
        Shape shape = self().shape();
        return Reading.start(self())
                .thenApplyAsync(bytes -> HostTensor.ofBytes(dtype, shape, bytes), Reading.CALLBACKS);
    }

    /**
     * Returns the values, with this tensor's shape and dtype. Waits.
     *
     * {@snippet file="MachineExamplesTest.java" region="toHost"}
     *
     * @throws OutpostException the fault that affected the values
     */
    default HostTensor toHost() {
        return HostTensor.ofBytes(self().dtype(), self().shape(), Reading.await(self()));
    }

    /**
     * Returns the only element: a {@code Boolean} for bool, {@code Long} for integers, {@code Double} for floats. Waits.
     *
     * {@snippet file="MachineExamplesTest.java" region="item"}
     *
     * @throws OpException if the tensor has not exactly one element
     */
    default Object item() {
        HostTensor value = element();
        return value.dtype() == DType.BOOL ? (Object) value.getBoolean(0) : value.item();
    }

    private HostTensor element() {
        if (self().numel() != 1) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "only one element can be read as an item, got " + self().shape()
                            + "; index one, or read all with toFloatArray()");
        }
        return toHost();
    }

    /**
     * Returns the only element as a double; bool gives 0 and 1. Waits.
     *
     * {@snippet file="MachineExamplesTest.java" region="itemDouble"}
     *
     * @throws OpException if the tensor has not exactly one element
     */
    default double itemDouble() {
        return element().getDouble(0);
    }

    /** Returns the only element as a long; a floating one is truncated toward zero. Waits. */
    default long itemLong() {
        return element().getLong(0);
    }

    /** Returns the only element as a boolean: true unless it is zero. Waits. */
    default boolean itemBoolean() {
        return element().getBoolean(0);
    }

    /**
     * Returns all elements in row-major order, converted if the dtype differs. Waits.
     *
     * {@snippet file="MachineExamplesTest.java" region="toFloatArray"}
     *
     * @throws OutpostException the fault that affected the values, for example an index out of range
     */
    default float[] toFloatArray() {
        if (self().dtype() != DType.FLOAT32) {
            return toHost().toFloatArray();
        }
        float[] values = new float[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** Same as {@link #toFloatArray}. */
    default double[] toDoubleArray() {
        if (self().dtype() != DType.FLOAT64) {
            return toHost().toDoubleArray();
        }
        double[] values = new double[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** Same as {@link #toFloatArray}. */
    default long[] toLongArray() {
        if (self().dtype() != DType.INT64) {
            return toHost().toLongArray();
        }
        long[] values = new long[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** Same as {@link #toFloatArray}. */
    default int[] toIntArray() {
        if (self().dtype() != DType.INT32) {
            return toHost().toIntArray();
        }
        int[] values = new int[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** Same as {@link #toFloatArray}, with true for every element except zero. */
    default boolean[] toBooleanArray() {
        return toHost().toBooleanArray();
    }

    /**
     * Returns the rows of a matrix, converted if the dtype differs. Waits.
     *
     * @throws OpException if the tensor has not two dimensions
     */
    default float[][] toFloatArray2d() {
        return toHost().toFloatArray2d();
    }

    /** Same as {@link #toFloatArray2d}. */
    default double[][] toDoubleArray2d() {
        return toHost().toDoubleArray2d();
    }

    /** Same as {@link #toFloatArray2d}. Throws if an element is not a whole number. */
    default long[][] toLongArray2d() {
        return toHost().toLongArray2d();
    }

    /**
     * Writes all elements in row-major order to the start of an existing array. Waits. Repeated reads can reuse one array. If this
     * method throws, any part of the array may have been written.
     *
     * {@snippet file="MachineExamplesTest.java" region="copyTo"}
     *
     * @throws OpException if the dtype is not float32, or the array is too short
     */
    default void copyTo(float[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.FLOAT32, room, ArraySink.of(target));
    }

    /** Like {@link #copyTo(float[])}, but for float64. */
    default void copyTo(double[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.FLOAT64, room, ArraySink.of(target));
    }

    /** Like {@link #copyTo(float[])}, but for int64. */
    default void copyTo(long[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.INT64, room, ArraySink.of(target));
    }

    /** Like {@link #copyTo(float[])}, but for int32. */
    default void copyTo(int[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.INT32, room, ArraySink.of(target));
    }
}

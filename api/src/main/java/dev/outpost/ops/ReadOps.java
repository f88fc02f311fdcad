package dev.outpost.ops;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.transfer.ArraySink;
import dev.outpost.internal.transfer.Reading;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.concurrent.CompletableFuture;

/** Looking at values: the program waits for the machine here and nowhere else. Only the bytes of the view move. */
public interface ReadOps {
    Tensor self();

    /**
     * The values as they are now, on their way, whatever is written to the tensor later and also when it is closed; fails with the
     * remote fault that touched them. Does not wait.
     */
    default CompletableFuture<HostTensor> fetch() {
        DType dtype = self().dtype();
        Shape shape = self().shape();
        return Reading.start(self())
                .thenApplyAsync(bytes -> HostTensor.ofBytes(dtype, shape, bytes), Reading.CALLBACKS);
    }

    /** The values; waits. */
    default HostTensor toHost() {
        return HostTensor.ofBytes(self().dtype(), self().shape(), Reading.await(self()));
    }

    /** The only element; waits. A {@code Boolean} for bool, {@code Long} for integers, {@code Double} for floats. */
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

    /** The only element as a double; bool gives 0 and 1. Waits. */
    default double itemDouble() {
        return element().getDouble(0);
    }

    /** The only element as a long, cut off towards zero if floating; waits. */
    default long itemLong() {
        return element().getLong(0);
    }

    /** All elements, row-major, converted where the dtype is another; waits. */
    default float[] toFloatArray() {
        if (self().dtype() != DType.FLOAT32) {
            return toHost().toFloatArray();
        }
        float[] values = new float[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** As {@link #toFloatArray}. */
    default double[] toDoubleArray() {
        if (self().dtype() != DType.FLOAT64) {
            return toHost().toDoubleArray();
        }
        double[] values = new double[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** As {@link #toFloatArray}. */
    default long[] toLongArray() {
        if (self().dtype() != DType.INT64) {
            return toHost().toLongArray();
        }
        long[] values = new long[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** As {@link #toFloatArray}. */
    default int[] toIntArray() {
        if (self().dtype() != DType.INT32) {
            return toHost().toIntArray();
        }
        int[] values = new int[Reading.elements(self())];
        copyTo(values);
        return values;
    }

    /** As {@link #toFloatArray}; anything but zero is true. */
    default boolean[] toBooleanArray() {
        return toHost().toBooleanArray();
    }

    /**
     * Writes all elements, row-major, into an array that the program has already, from its start on; waits. Whoever reads
     * again and again needs no new array each time. When this throws, any part of the array may have been written.
     *
     * @throws OpException when the dtype is not float32, or the array is too short
     */
    default void copyTo(float[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.FLOAT32, room, ArraySink.of(target));
    }

    /** As {@link #copyTo(float[])}, for float64. */
    default void copyTo(double[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.FLOAT64, room, ArraySink.of(target));
    }

    /** As {@link #copyTo(float[])}, for int64. */
    default void copyTo(long[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.INT64, room, ArraySink.of(target));
    }

    /** As {@link #copyTo(float[])}, for int32. */
    default void copyTo(int[] target) {
        int room = ArgumentChecks.required(target, "the array").length;
        Reading.copy(self(), DType.INT32, room, ArraySink.of(target));
    }
}

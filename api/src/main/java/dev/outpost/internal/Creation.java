package dev.outpost.internal;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.HostStates;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.jspecify.annotations.Nullable;

/** Creates tensors on a machine. Users call the methods of {@link RemoteMachine} instead. */
public final class Creation {
    private Creation() {}

    public static Tensor full(TensorDevice device, Shape shape, Scalar value) {
        return Dispatch.make(device, new Fill(shape, value));
    }

    /** Creates a tensor filled with a number. Throws if the dtype cannot hold the number. */
    public static Tensor full(TensorDevice device, Shape shape, String op, Number value, DType dtype) {
        return full(device, shape, Operand.fitting(op, value, dtype).scalar());
    }

    public static Tensor full(TensorDevice device, Shape shape, DType dtype, double value) {
        return full(device, shape, Scalar.of(dtype, value));
    }

    /** Creates the numbers 0, 1, 2, … as int64. */
    public static Tensor indices(TensorDevice device, long length) {
        return arange(device, DType.INT64, length, Scalar.of(DType.INT64, 0L), Scalar.of(DType.INT64, 1L));
    }

    public static Tensor arange(TensorDevice device, DType dtype, long length, Scalar start, Scalar step) {
        return Dispatch.make(device, new Arange(dtype, length, start, step));
    }

    /** Creates random elements from the stream of a machine. Only integers use low and high. */
    public static Tensor random(RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high) {
        return random(machine, fn, dtype, shape, low, high, null);
    }

    /** Creates random elements from a generator; null means the stream of the machine. */
    public static Tensor random(
            RemoteMachine machine,
            Random.Fn fn,
            DType dtype,
            Shape shape,
            long low,
            long high,
            @Nullable DrawSource generator) {
        TensorDevice device = TensorDevice.of(machine);
        TensorType type = new TensorType(dtype, shape);
        if (generator != null) {
            RandomStream.Position at = generator.take();
            return Dispatch.make(device, new Random(fn, type, at.seed(), at.draws(), low, high));
        }
        long draw = device.recorder().current().takeDraw();
        return Dispatch.make(device, new Random(fn, type, device.random().seed(), draw, low, high));
    }

    /** Uploads values of the program. */
    public static Tensor upload(RemoteMachine machine, HostTensor values) {
        return upload(machine, values.dtype(), values.shape(), ElementSource.of(values.bytes()));
    }

    /** Uploads elements. All elements of the source have been read when this method returns. */
    public static Tensor upload(RemoteMachine machine, DType dtype, Shape shape, ElementSource elements) {
        HostShapes.requireHeld(dtype, shape);
        return HostStates.ofThread().outside(() -> {
            TensorDevice device = TensorDevice.of(machine);
            return (Tensor) device.over(device.recorder().upload(new TensorType(dtype, shape), elements));
        });
    }
}

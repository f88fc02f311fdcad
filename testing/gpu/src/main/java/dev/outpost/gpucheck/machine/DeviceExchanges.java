package dev.outpost.gpucheck.machine;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Exchanges of values in an engine's memory. */
final class DeviceExchanges {
    /** The bits of a byte that keep floats of any width finite. */
    private static final int FINITE = 0x3f;

    private static final long OWNER = 1;

    private final Engine engine;

    DeviceExchanges(Engine engine) {
        this.engine = engine;
    }

    /** Returns random elements of a dtype, little-endian; floats are finite. */
    static byte[] elements(DType dtype, int count, long seed) {
        byte[] elements = new byte[count * dtype.bytes()];
        new Random(seed).nextBytes(elements);
        for (int last = dtype.bytes() - 1; last < elements.length; last += dtype.bytes()) {
            elements[last] &= (byte) (dtype == DType.BOOL ? 1 : FINITE);
        }
        return elements;
    }

    /** Returns the elements of a matrix, column by column. */
    static byte[] transposed(byte[] elements, int rows, int columns, int width) {
        byte[] result = new byte[elements.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                System.arraycopy(
                        elements, (row * columns + column) * width, result, (column * rows + row) * width, width);
            }
        }
        return result;
    }

    /**
     * Returns the result of an exchange whose operand is a matrix in column-major order.
     *
     * @param collective an exchange whose operand and result have the same shape
     * @param elements the elements in memory order
     */
    byte[] ofTransposed(DeviceCommunicator communicator, Collective collective, byte[] elements)
            throws InterruptedException {
        return ofTransposed(
                collective,
                elements,
                (operand, result) -> await(communicator.prepare(collective, operand, result.buffer())));
    }

    /** Does the same with an exchange within a launch group, which is launched twice. Empty if the engine made no such group. */
    Optional<byte[]> withinUnit(DeviceCommunicator communicator, Collective collective, byte[] elements)
            throws InterruptedException {
        Object unit = new Object();
        AtomicBoolean isReady = new AtomicBoolean(true);
        byte[] found = ofTransposed(collective, elements, (operand, result) -> {
            Array[] operands = {operand};
            Array[] results = {result};
            List<Launch> launches =
                    List.of(new Launch(communicator.exchanger().orElseThrow(), collective, operands, results));
            try {
                // The engine captures a launch group at its second run.
                engine.ready(unit, OWNER, launches);
                for (int time = 0; time < 2; time++) {
                    Optional<PreparedLaunchGroup> ready = engine.ready(unit, OWNER, launches);
                    isReady.compareAndSet(true, ready.isPresent());
                    if (ready.isPresent()) {
                        await(ready.get().launch());
                    }
                }
            } finally {
                engine.forgetGroup(unit);
            }
        });
        return isReady.get() ? Optional.of(found) : Optional.empty();
    }

    /** An exchange of one value. */
    private interface Work {
        void run(Array operand, Array result) throws InterruptedException;
    }

    private byte[] ofTransposed(Collective collective, byte[] elements, Work exchange) throws InterruptedException {
        DType dtype = collective.type().dtype();
        Shape shape = collective.type().shape();
        EngineBuffer operand = engine.allocate(dtype, shape.elements());
        EngineBuffer result = engine.allocate(dtype, shape.elements());
        try {
            engine.write(operand, 0, new Slice(elements));
            engine.write(result, 0, new Slice(new byte[elements.length]));
            Layout layout =
                    Layout.contiguous(Shape.of(shape.size(1), shape.size(0))).transpose(0, 1);
            Array whole = Array.contiguous(result, shape);
            exchange.run(new Array(operand, layout), whole);
            return engine.read(whole, 0, (int) shape.elements());
        } finally {
            engine.release(operand);
            engine.release(result);
        }
    }

    /** Returns the time from the operand's arrival on the device to the result. */
    double seconds(DeviceCommunicator communicator, Collective collective) throws InterruptedException {
        Shape shape = collective.type().shape();
        EngineBuffer operand = engine.allocate(collective.type().dtype(), shape.elements());
        EngineBuffer result = engine.allocate(collective.type().dtype(), shape.elements());
        try {
            DeviceExchange prepared = communicator.prepare(collective, Array.contiguous(operand, shape), result);
            engine.read(Array.contiguous(result, Shape.of(1)), 0, 1);
            long start = System.nanoTime();
            await(prepared);
            return (System.nanoTime() - start) / 1e9;
        } finally {
            engine.release(operand);
            engine.release(result);
        }
    }

    private static void await(DeviceExchange prepared) throws InterruptedException {
        await(prepared.start());
        await(prepared.finish());
    }

    private static void await(Completion done) throws InterruptedException {
        done.await();
        if (done.failure().isPresent()) {
            throw new IllegalStateException(done.failure().get());
        }
    }
}

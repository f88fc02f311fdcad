package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.MemoryPool;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Checks if exchanges work within graphs on this machine, by a small sum over all members. Used by one thread. */
final class GraphExchangeProbe {
    private static final int ELEMENTS = 1024;

    private final Device device;
    private final CudaCommunicator communicator;
    private final Kernel exchanger;
    private final int size;
    private final Duration timeout;
    private final CudaBuffer terms;
    private final CudaBuffer sums;
    private Optional<PreparedLaunchGroup> ready = Optional.empty();

    /** @param timeout the longest wait for the other members */
    GraphExchangeProbe(
            Device device, CudaCommunicator communicator, Kernel exchanger, int size, int rank, Duration timeout) {
        this.device = device;
        this.communicator = communicator;
        this.exchanger = exchanger;
        this.size = size;
        this.timeout = timeout;
        terms = buffer(rank + 1);
        sums = buffer(0);
    }

    private CudaBuffer buffer(float value) {
        CudaBuffer buffer = device.allocate(DType.FLOAT32, ELEMENTS, MemoryPool.ENGINE, Engine.NO_USE);
        device.write(buffer, 0, new Slice(bytes(value)));
        return buffer;
    }

    private static byte[] bytes(float value) {
        float[] values = new float[ELEMENTS];
        Arrays.fill(values, value);
        ByteBuffer bytes = ByteBuffer.allocate(ELEMENTS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    private Collective sum() {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, Shape.of(ELEMENTS)),
                IntStream.range(0, size).boxed().toList(),
                Optional.empty(),
                Optional.empty(),
                0,
                0);
    }

    private static Array all(CudaBuffer buffer) {
        return Array.contiguous(buffer, Shape.of(ELEMENTS));
    }

    /**
     * Computes the sum once outside of a graph, because the library connects the members at its first exchange. Then
     * prepares the same sum in a graph.
     *
     * @return true if the graph could be captured
     */
    boolean prepare() throws InterruptedException {
        DeviceExchange alone = communicator.prepare(sum(), all(terms), sums);
        await(alone.start());
        await(alone.finish());
        List<Launch> launches =
                List.of(new Launch(exchanger, sum(), new Array[] {all(terms)}, new Array[] {all(sums)}));
        try {
            // A launch group is captured at its second run.
            device.ready(this, MemoryPool.ENGINE, launches);
            ready = device.ready(this, MemoryPool.ENGINE, launches);
        } catch (CudaException failure) {
            if (DeviceFailure.isLasting(failure)) {
                throw failure;
            }
        }
        return ready.isPresent();
    }

    /** Launches the graph. All members do this. */
    void run() throws InterruptedException {
        device.write(sums, 0, new Slice(bytes(0)));
        await(ready.orElseThrow().launch());
        ready = Optional.empty();
        byte[] found = new byte[ELEMENTS * Float.BYTES];
        device.read(all(sums), 0, ELEMENTS, found, 0);
        if (!Arrays.equals(bytes(size * (size + 1) / 2f), found)) {
            throw new IllegalStateException("the sum is wrong");
        }
    }

    private void await(Completion done) throws InterruptedException {
        if (!done.await(timeout)) {
            throw new MissingMembersException("a first exchange", timeout);
        }
        if (done.failure().isPresent()) {
            throw new IllegalStateException(
                    "the GPUs do not exchange", done.failure().get());
        }
    }

    void close() {
        ready.ifPresent(PreparedLaunchGroup::cancel);
        device.forgetGroup(this);
        device.release(terms);
        device.release(sums);
    }
}

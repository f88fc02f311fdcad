package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Buffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Exchanges between GPUs by a library that appends to the queue of kernels. */
final class CudaCollectives implements DeviceCollectives {
    /** Below that the members' word to each other costs as much as the exchange by their hosts. */
    static final int LEAST_BYTES = 4096;

    private final Device device;
    private final CollectiveLibrary library;

    CudaCollectives(Device device, CollectiveLibrary library) {
        this.device = device;
        this.library = library;
    }

    @Override
    public String library() {
        return library.name();
    }

    @Override
    public String device() {
        return library.device();
    }

    @Override
    public byte[] drawId(String key) {
        return library.drawId(key);
    }

    @Override
    public DeviceCommunicator join(byte[] id, String key, int size, int rank) {
        return new Member(library.join(id, key, size, rank), rank);
    }

    private final class Member implements DeviceCommunicator {
        private final CollectiveLibrary.Communicator communicator;
        private final int rank;

        Member(CollectiveLibrary.Communicator communicator, int rank) {
            this.communicator = communicator;
            this.rank = rank;
        }

        /** Parts have to be of one size, one behind the other. */
        @Override
        public boolean takes(Collective collective) {
            boolean isInOrder = IntStream.range(0, collective.members().size())
                    .allMatch(place -> collective.members().get(place) == place);
            boolean isEven = switch (collective.fn()) {
                case ALL_REDUCE -> true;
                case ALL_GATHER -> isEven(collective.from());
                case REDUCE_SCATTER -> isEven(collective.to());
                case ALL_REDUCE_ROUNDED, ALL_TO_ALL, SEND, RECEIVE -> false;
            };
            return isInOrder
                    && isEven
                    && collective.type().bytes() >= LEAST_BYTES
                    && library.takes(collective.type().dtype());
        }

        private static boolean isEven(Optional<Split> split) {
            Split cut = split.orElseThrow();
            return cut.dim() == 0
                    && IntStream.range(0, cut.members()).allMatch(member -> cut.size(member) == cut.size(0));
        }

        @Override
        public DeviceExchange prepare(Collective collective, Array operand, Buffer result) {
            CudaBuffer to = (CudaBuffer) result;
            Shape shape = operand.shape();
            DType dtype = operand.dtype();
            return switch (collective.fn()) {
                case ALL_REDUCE -> {
                    device.copy(operand, Array.contiguous(to, shape));
                    yield exchange(to, List.of(), () -> {
                        long at = to.address(0);
                        communicator.allReduce(at, at, shape.elements(), dtype);
                    });
                }
                case ALL_GATHER -> {
                    long own = rank * shape.elements();
                    device.copy(
                            operand,
                            new Array(
                                    to,
                                    Layout.of(shape, Layout.contiguous(shape).strides(), own)));
                    yield exchange(
                            to,
                            List.of(),
                            () -> communicator.allGather(to.address(own), to.address(0), shape.elements(), dtype));
                }
                case REDUCE_SCATTER -> {
                    CudaBuffer terms = device.allocate(dtype, shape.elements(), to.owner(), Engine.NO_USE);
                    device.copy(operand, Array.contiguous(terms, shape));
                    yield exchange(
                            to,
                            List.of(terms),
                            () -> communicator.reduceScatter(terms.address(0), to.address(0), to.elements(), dtype));
                }
                case ALL_REDUCE_ROUNDED, ALL_TO_ALL, SEND, RECEIVE ->
                    throw new IllegalArgumentException(collective.label() + " is not taken by the GPUs");
            };
        }

        private DeviceExchange exchange(CudaBuffer result, List<CudaBuffer> scratch, Runnable work) {
            return new DeviceExchange() {
                @Override
                public Completion start() {
                    Completion done = device.append(result, scratch, work);
                    done.whenDone(this::release);
                    return done;
                }

                @Override
                public void cancel() {
                    release();
                }

                private void release() {
                    scratch.forEach(device::release);
                }
            };
        }

        @Override
        public void abort() {
            communicator.abort();
        }

        @Override
        public void close() {
            communicator.close();
        }
    }
}

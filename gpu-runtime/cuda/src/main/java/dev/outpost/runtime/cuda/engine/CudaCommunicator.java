package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.WholeExchange;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One GPU's side of exchanges. The operand is copied to a buffer for the library, so its value may be released during
 * the exchange.
 */
final class CudaCommunicator implements DeviceCommunicator {
    /**
     * The smallest exchange between devices, in bytes. For fewer bytes, the messages that coordinate the members take
     * as long as an exchange by their hosts.
     */
    static final int MIN_BYTES = 4096;

    private static final Runnable NOTHING = () -> {};

    private final Device device;
    private final CollectiveLibrary library;
    private final CollectiveLibrary.Communicator communicator;
    private final int rank;
    private final Kernel exchanger = this::exchangeWithinGraph;
    /** The probe of exchanges within graphs; null unless a trial is under way. */
    private GraphExchangeProbe trial;

    private volatile boolean isWithinUnits;

    CudaCommunicator(Device device, CollectiveLibrary library, CollectiveLibrary.Communicator communicator, int rank) {
        this.device = device;
        this.library = library;
        this.communicator = communicator;
        this.rank = rank;
    }

    // ---- launch groups

    @Override
    public boolean prepareGroups(int size, Duration timeout) throws InterruptedException {
        if (!library.isCaptured()) {
            return false;
        }
        trial = new GraphExchangeProbe(device, this, exchanger, size, rank, timeout);
        return trial.prepare();
    }

    @Override
    public void tryGroups() throws InterruptedException {
        trial.run();
        isWithinUnits = true;
    }

    @Override
    public void endTrial() {
        if (trial != null) {
            trial.close();
            trial = null;
        }
    }

    @Override
    public Optional<Kernel> exchanger() {
        return isWithinUnits ? Optional.of(exchanger) : Optional.empty();
    }

    private void exchangeWithinGraph(Op op, Array[] operands, Array[] results) {
        Exchange exchange = prepare((Collective) op, operands[0], results[0].buffer());
        device.exchangeWithinGraph(exchange.result, exchange.scratch, exchange.work, exchange::end);
    }

    // ---- exchanges

    /**
     * Accepts an exchange of any size if it can run within a launch group, so that small exchanges do not split a
     * group.
     */
    @Override
    public boolean takes(Collective collective, Shape operand) {
        boolean isWhole = WholeExchange.is(collective);
        boolean isTaken = isWhole
                || switch (collective.fn()) {
                    case SEND -> operand != null;
                    case RECEIVE -> true;
                    case ALL_REDUCE, ALL_REDUCE_ROUNDED, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> false;
                };
        return isTaken
                && (isWhole && isWithinUnits || wholeBytes(collective, operand) >= MIN_BYTES)
                && library.takes(collective.type().dtype());
    }

    /**
     * Returns the size of the whole exchanged value in bytes. It is the same on all members, so all of them make the
     * same choice.
     */
    private static long wholeBytes(Collective collective, Shape operand) {
        Shape part = collective.type().shape();
        long elements = switch (collective.fn()) {
            case ALL_REDUCE, ALL_REDUCE_ROUNDED, ALL_GATHER, RECEIVE -> part.elements();
            case REDUCE_SCATTER, ALL_TO_ALL ->
                wholeElements(part, collective.to().orElseThrow());
            case SEND -> operand.elements();
        };
        return elements * collective.type().dtype().bytes();
    }

    private static long wholeElements(Shape part, Split split) {
        long elements = split.total();
        for (int dim = 0; dim < part.rank(); dim++) {
            elements *= dim == split.dim() ? 1 : part.size(dim);
        }
        return elements;
    }

    @Override
    public Exchange prepare(Collective collective, Array operand, EngineBuffer result) {
        CudaBuffer to = (CudaBuffer) result;
        return switch (collective.fn()) {
            case ALL_REDUCE -> allReduce(operand, to);
            case ALL_GATHER -> allGather(operand, to);
            case REDUCE_SCATTER -> reduceScatter(operand, to);
            case ALL_TO_ALL -> allToAll(collective, operand, to);
            case SEND -> send(collective, operand, to);
            case RECEIVE -> receive(collective, to);
            case ALL_REDUCE_ROUNDED ->
                throw new IllegalArgumentException(collective.label() + " is not taken by the GPUs");
        };
    }

    private Exchange allReduce(Array operand, CudaBuffer to) {
        device.copy(operand, Array.contiguous(to, operand.shape()));
        long at = to.address(0);
        return new Exchange(to, List.of(), () -> communicator.allReduce(at, at, to.elements(), to.dtype()));
    }

    private Exchange allGather(Array operand, CudaBuffer to) {
        long elements = operand.shape().elements();
        long own = rank * elements;
        device.copy(operand, rowMajor(to, operand.shape(), own));
        return new Exchange(
                to, List.of(), () -> communicator.allGather(to.address(own), to.address(0), elements, to.dtype()));
    }

    private Exchange reduceScatter(Array operand, CudaBuffer to) {
        CudaBuffer terms = scratch(operand.shape().elements(), to);
        device.copy(operand, Array.contiguous(terms, operand.shape()));
        return new Exchange(
                to,
                List.of(terms),
                () -> communicator.reduceScatter(terms.address(0), to.address(0), to.elements(), to.dtype()));
    }

    /**
     * Exchanges one contiguous piece with each member. Received pieces that are not contiguous in the result are
     * moved to their places at the end.
     */
    private Exchange allToAll(Collective collective, Array operand, CudaBuffer to) {
        ExchangedParts parts = new ExchangedParts(collective, rank);
        Array result = Array.contiguous(to, collective.type().shape());
        Parcels parcels = new Parcels();
        CudaBuffer outgoing = scratch(operand.shape().elements(), to);
        CudaBuffer incoming = scratch(to.elements(), to);
        long sent = 0;
        long received = 0;
        for (int member : collective.members()) {
            Array part = parts.outgoing(operand, member);
            sent += parcels.send(part, rowMajor(outgoing, part.shape(), sent), member);
            Array place = parts.incoming(result, member);
            received += parcels.receive(rowMajor(incoming, place.shape(), received), place, member);
        }
        return new Exchange(to, List.of(outgoing, incoming), parcels::exchange, parcels::unpack);
    }

    private Exchange send(Collective collective, Array operand, CudaBuffer to) {
        long elements = operand.shape().elements();
        CudaBuffer outgoing = scratch(elements, to);
        device.copy(operand, Array.contiguous(outgoing, operand.shape()));
        List<Integer> receivers =
                collective.members().subList(1, collective.members().size());
        Runnable all = () ->
                receivers.forEach(member -> communicator.send(outgoing.address(0), elements, outgoing.dtype(), member));
        return new Exchange(to, List.of(outgoing), () -> communicator.grouped(all));
    }

    private Exchange receive(Collective collective, CudaBuffer to) {
        int sender = collective.members().getFirst();
        return new Exchange(
                to, List.of(), () -> communicator.receive(to.address(0), to.elements(), to.dtype(), sender));
    }

    private static Array rowMajor(CudaBuffer buffer, Shape shape, long offset) {
        return new Array(buffer, Layout.of(shape, Layout.contiguous(shape).strides(), offset));
    }

    private CudaBuffer scratch(long elements, CudaBuffer like) {
        return device.scratch(like.dtype(), elements, like.owner());
    }

    /** The pieces of one exchange. */
    private final class Parcels {
        private final List<Runnable> calls = new ArrayList<>();
        private final List<Runnable> moves = new ArrayList<>();

        /** Adds a piece to send and returns the number of its elements. */
        long send(Array part, Array parcel, int member) {
            long elements = part.shape().elements();
            if (elements > 0) {
                device.copy(part, parcel);
                long address = address(parcel);
                calls.add(() -> communicator.send(address, elements, part.dtype(), member));
            }
            return elements;
        }

        long receive(Array parcel, Array place, int member) {
            long elements = place.shape().elements();
            if (elements > 0) {
                boolean isInPlace = place.layout().isContiguous();
                long address = address(isInPlace ? place : parcel);
                calls.add(() -> communicator.receive(address, elements, place.dtype(), member));
                if (!isInPlace) {
                    moves.add(() -> device.copy(parcel, place));
                }
            }
            return elements;
        }

        private static long address(Array array) {
            return ((CudaBuffer) array.buffer()).address(array.layout().offset());
        }

        void exchange() {
            communicator.grouped(() -> calls.forEach(Runnable::run));
        }

        void unpack() {
            moves.forEach(Runnable::run);
        }
    }

    final class Exchange implements DeviceExchange {
        private final CudaBuffer result;
        private final List<CudaBuffer> scratch;
        private final Runnable work;
        private final Runnable last;

        Exchange(CudaBuffer result, List<CudaBuffer> scratch, Runnable work) {
            this(result, scratch, work, NOTHING);
        }

        /**
         * A prepared exchange.
         *
         * @param work calls the library
         * @param last the engine's work after the exchange, such as copies to the result
         */
        Exchange(CudaBuffer result, List<CudaBuffer> scratch, Runnable work, Runnable last) {
            this.result = result;
            this.scratch = scratch;
            this.work = work;
            this.last = last;
        }

        @Override
        public Completion start() {
            return device.exchange(result, scratch, work);
        }

        @Override
        public Completion finish() {
            end();
            return last == NOTHING ? Completion.DONE : device.past();
        }

        private void end() {
            try {
                last.run();
            } finally {
                release();
            }
        }

        @Override
        public void cancel() {
            release();
        }

        private void release() {
            scratch.forEach(device::releaseScratch);
        }
    }

    /**
     * Aborts on two threads. The library waits until no graph contains its exchanges, and a running graph ends when the library aborts. The
     * caller does not wait for the threads, because on a GPU that hangs they may never end.
     */
    @Override
    public void abort() {
        if (isWithinUnits || trial != null) {
            start("outpost-abort-exchanges", communicator::abort);
            start("outpost-drop-exchanges", () -> device.forgetExchanger(exchanger));
        } else {
            communicator.abort();
        }
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (CudaException failure) {
                // The group has ended. If the device has failed, the next computation reports that.
            }
        });
    }

    @Override
    public void close() {
        device.forgetExchanger(exchanger);
        communicator.close();
    }
}

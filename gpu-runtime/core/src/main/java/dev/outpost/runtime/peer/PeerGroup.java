package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * One member's side of a group's exchanges. All members begin exchanges in the same order. Several exchanges can run at
 * the same time, while the member computes. A result depends only on the members and their elements, never on timing.
 *
 * <p>A lost member ends the group: the first member that notices the loss closes its lanes, so that no other member waits longer. One
 * thread begins exchanges. Any thread may close the group.
 */
public final class PeerGroup {
    /** The maximum number of exchanges that run at the same time. */
    private static final int MAX_UNDER_WAY = 16;

    private static final byte[] NOTHING = new byte[0];

    private final String name;
    private final int rank;
    private final List<PeerLane> lanes;
    private final Semaphore room = new Semaphore(MAX_UNDER_WAY);
    private volatile Optional<DeviceGroup> devices = Optional.empty();
    /** The reason why the group is broken; null while it works. */
    private final AtomicReference<String> brokenBy = new AtomicReference<>();

    /**
     * @param name the name of the group in errors
     * @param rank the rank of this member
     * @param lanes the lanes by rank; null for this member
     */
    public PeerGroup(String name, int rank, List<PeerLane> lanes) {
        this.name = name;
        this.rank = rank;
        this.lanes = lanes;
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.whenBroken(this::breakUp);
            }
        }
    }

    /** An exchange that is running. */
    public record Underway(CompletableFuture<ExchangeResult> result) {
        /** Waits for the other members. */
        public ExchangeResult await() throws InterruptedException {
            try {
                return result.get();
            } catch (ExecutionException failure) {
                throw new IllegalStateException("an exchange failed: " + failure.getCause(), failure.getCause());
            }
        }

        public boolean isDone() {
            return result.isDone();
        }
    }

    /** Works like {@link #begin}, and waits for the result. */
    public ExchangeResult exchange(Collective collective, Shape shape, byte[] elements, Optional<Fault> lost)
            throws InterruptedException {
        return begin(collective, shape, elements, lost).await();
    }

    /**
     * Begins an exchange of elements; waits if too many are running.
     *
     * @param shape the shape of this member's elements; null if it sends none
     * @param elements row-major and little-endian; the caller must not change them any more
     * @param lost the fault of this member's operand, if it sends no elements because the operand is lost; then no member has a result
     */
    public Underway begin(Collective collective, Shape shape, byte[] elements, Optional<Fault> lost)
            throws InterruptedException {
        return begin(collective, shape, elements, lost, LaneBackend.INSTANCE);
    }

    private Underway begin(
            Collective collective, Shape shape, byte[] elements, Optional<Fault> lost, CollectiveBackend backend)
            throws InterruptedException {
        int self = place(collective);
        OwnPart.require(collective, self, shape);
        room.acquire();
        CompletableFuture<ExchangeResult> result = new CompletableFuture<>();
        boolean isBegun = false;
        try {
            ExchangeRun run = new ExchangeRun(collective, lanesOf(collective), self, shape, elements, lost);
            announce(run);
            Thread.ofVirtual()
                    .name("outpost-exchange-" + collective.number())
                    .start(() -> run(collective, run, backend, result));
            isBegun = true;
        } finally {
            if (!isBegun) {
                room.release();
            }
        }
        return new Underway(result);
    }

    /**
     * Announces an exchange to the other members. If a member is already lost, the run of the exchange reports it.
     */
    private void announce(ExchangeRun run) throws InterruptedException {
        try {
            run.announce();
        } catch (PeerLostException peerLost) {
            breakUp(run.collective(), peerLost);
        }
    }

    private void run(
            Collective collective,
            ExchangeRun run,
            CollectiveBackend backend,
            CompletableFuture<ExchangeResult> result) {
        try {
            String broken = brokenBy.get();
            result.complete(broken == null ? run.run(backend) : ExchangeResult.failed(fault(collective, broken)));
        } catch (PeerLostException peerLost) {
            breakUp(collective, peerLost);
            result.complete(ExchangeResult.failed(fault(collective, brokenBy.get())));
        } catch (Throwable failure) {
            breakUp(collective.label() + " " + collective.number() + ": member " + rank + " failed: " + failure);
            result.complete(ExchangeResult.failed(fault(collective, brokenBy.get())));
        } finally {
            backend.end();
            room.release();
        }
    }

    // ---- state of members

    /** Sets the source of this member's state for other members. */
    public void sendState(Supplier<byte[]> state) {
        lanes.stream().filter(Objects::nonNull).forEach(lane -> lane.sendState(state));
    }

    /** Returns the latest states of the other members, by rank, and asks them for new ones. Does not wait. */
    public SortedMap<Integer, Slice> states() {
        SortedMap<Integer, Slice> states = new TreeMap<>();
        for (int member = 0; member < lanes.size(); member++) {
            if (member != rank) {
                int other = member;
                lanes.get(member).state().ifPresent(state -> states.put(other, state));
            }
        }
        return states;
    }

    // ---- between devices

    /**
     * Runs later exchanges directly between the devices, if the devices support them. All members call this before
     * any exchange.
     *
     * @param timeout the longest time of an exchange that all members have begun
     */
    public void exchangeOnDevices(DeviceCommunicator communicator, Duration timeout) {
        devices = Optional.of(new DeviceGroup(communicator, timeout));
        if (brokenBy.get() != null) {
            devices.get().end();
        }
    }

    /**
     * Returns the communicator of the devices, if they can run an exchange.
     *
     * @param operand the shape of this member's operand; null if it has none
     */
    public Optional<DeviceCommunicator> devices(Collective collective, Shape operand) {
        boolean isPointToPoint = switch (collective.fn()) {
            case SEND, RECEIVE -> true;
            case ALL_REDUCE, ALL_REDUCE_ROUNDED, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> false;
        };
        boolean isTakeable = isPointToPoint || collective.members().size() == lanes.size();
        return devices.map(DeviceGroup::communicator)
                .filter(communicator -> isTakeable && communicator.takes(collective, operand));
    }

    /** Returns the devices' kernel for exchanges within a launch group; empty if they have none. */
    public Optional<Kernel> exchanger() {
        return devices.map(DeviceGroup::communicator).flatMap(DeviceCommunicator::exchanger);
    }

    /**
     * Works like {@link #begin(Collective, Shape, byte[], Optional)}, for elements in the devices' memory.
     *
     * @param prepared the exchange; null if this member lost its operand
     */
    public Underway begin(Collective collective, Shape shape, DeviceExchange prepared, Optional<Fault> lost)
            throws InterruptedException {
        CollectiveBackend backend = devices.orElseThrow().backend(prepared);
        boolean isBegun = false;
        try {
            Underway begun = begin(collective, shape, NOTHING, lost, backend);
            isBegun = true;
            return begun;
        } finally {
            if (!isBegun) {
                backend.end();
            }
        }
    }

    /**
     * Offers to launch several exchanges between devices at once. No exchange may be running, and none may begin before
     * the offer is answered.
     *
     * @param first the first exchange
     * @param operand the shape of this member's operand of it
     * @param last the number of the last exchange
     */
    public LaunchGroupOffer offer(Collective first, Shape operand, long last) throws InterruptedException {
        LaunchGroupOffer offer = new LaunchGroupOffer(last);
        CollectiveBackend backend = devices.orElseThrow().backend(offer);
        boolean isBegun = false;
        try {
            offer.begun(begin(first, operand, NOTHING, Optional.empty(), backend));
            isBegun = true;
            return offer;
        } finally {
            if (!isBegun) {
                backend.end();
            }
        }
    }

    // ---- segments

    /**
     * Waits for a segment that another member passes on.
     *
     * @param program a hash of the recorded program, which must be the same on the other member
     */
    public SegmentBundle take(long number, long program, int from) throws InterruptedException {
        try {
            PeerMessage segment = lane(number, from).takeSegment(number);
            if (segment.program() != program) {
                throw new PeerLostException("the members do not run the same program, got a segment of program "
                        + Long.toHexString(segment.program()) + " from member " + from + ", expected that of "
                        + Long.toHexString(program));
            }
            return SegmentBundle.read(new ByteReader(segment.elements()));
        } catch (PeerLostException peerLost) {
            throw lost(number, peerLost);
        }
    }

    /** Sends parts of a segment to the members that this one passes them on to. */
    public void passOn(SegmentBundle bundle) throws InterruptedException {
        try {
            for (SegmentBundle next : bundle.onward()) {
                lane(bundle.number(), next.holder()).send(PeerMessage.segment(next));
            }
        } catch (PeerLostException peerLost) {
            throw lost(bundle.number(), peerLost);
        }
    }

    private PeerLane lane(long number, int other) {
        PeerLane lane = other >= 0 && other < lanes.size() ? lanes.get(other) : null;
        if (lane == null) {
            throw new MalformedException("segment " + number + ": member " + rank + " of a group of " + lanes.size()
                    + " has no lane to member " + other);
        }
        return lane;
    }

    private OutpostException lost(long number, PeerLostException missing) {
        breakUp("segment " + number + ": " + missing.getMessage());
        return new OutpostException(
                FaultKind.EXTERNAL,
                FaultCode.GROUP_BROKEN,
                "segment " + number + ": group " + name + ": " + brokenBy.get(),
                missing);
    }

    // ---- the end

    /** Tells the other members that this one takes no further part. */
    public void close(String reason) {
        brokenBy.compareAndSet(null, reason);
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.leave(reason);
            }
        }
        devices.ifPresent(DeviceGroup::end);
    }

    /** Breaks the group: all of its exchanges fail from now on, on all members. */
    private void breakUp(String reason) {
        if (!brokenBy.compareAndSet(null, reason)) {
            return;
        }
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.breakUp(reason);
            }
        }
        devices.ifPresent(DeviceGroup::end);
    }

    private void breakUp(Collective collective, PeerLostException missing) {
        breakUp(collective.label() + " " + collective.number() + ": " + missing.getMessage());
    }

    private int place(Collective collective) {
        List<Integer> members = collective.members();
        if (!members.contains(rank) || members.stream().anyMatch(member -> member >= lanes.size())) {
            throw new MalformedException(collective.label() + ": member " + rank + " of a group of " + lanes.size()
                    + " is asked to take part in an exchange of members " + members);
        }
        return members.indexOf(rank);
    }

    private List<PeerLane> lanesOf(Collective collective) {
        List<PeerLane> ofMembers = new ArrayList<>();
        for (int member : collective.members()) {
            ofMembers.add(member == rank ? null : lanes.get(member));
        }
        return ofMembers;
    }

    private Fault fault(Collective collective, String problem) {
        return Fault.newBuilder()
                .setKind(FaultKind.EXTERNAL.code())
                .setCode(FaultCode.GROUP_BROKEN.number())
                .setOp(collective.label())
                .setMessage(collective.label() + ": group " + name + ": " + problem)
                .build();
    }
}

package dev.outpost.runtime.session.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.peer.DeviceOffer;
import dev.outpost.runtime.peer.LaunchGroupOffer;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The group to which a session belongs. A session belongs to one group at a time. Thread-safe. */
public final class SessionPeers {
    private final PeerNetwork network;
    /** The groups that the client wants this session to open, and that it has neither opened nor left yet. */
    private final Set<String> opening = new HashSet<>();

    private final PassedSegments segments = new PassedSegments(this::awaitGroup);
    private final Optional<DeviceCollectives> collectives;
    private Supplier<byte[]> state = () -> new byte[0];
    private DeviceJoin devices;
    private PeerQuestion.Open opened;
    private PeerRendezvous entrance;
    private PeerGroup group;
    private boolean isExpected;
    private boolean isJoining;
    private boolean isClosed;

    /** @param collectives the exchange library of the device on which the session computes */
    public SessionPeers(PeerNetwork network, Optional<DeviceCollectives> collectives) {
        this.network = network;
        this.collectives = collectives;
    }

    /** Answers a question. May wait for other members. */
    public byte[] answer(PeerQuestion question) throws IOException, InterruptedException {
        return switch (question.getKindCase()) {
            case OPEN -> open(question.getOpen()).getBytes(StandardCharsets.UTF_8);
            case JOIN -> join(question.getJoin()).getBytes(StandardCharsets.UTF_8);
            case LEAVE -> new byte[0];
            case KIND_NOT_SET ->
                throw new OutpostException(FaultKind.USER, "group: this machine does not know the question");
        };
    }

    private synchronized String open(PeerQuestion.Open open) throws IOException {
        requireOpen();
        if (!opening.remove(open.getGroup())) {
            throw new OutpostException(FaultKind.USER, "group: the session has left group " + open.getGroup());
        }
        if (opened != null) {
            throw new OutpostException(
                    FaultKind.USER, "group: the session is a member of group " + opened.getGroup() + " already");
        }
        entrance = network.open(open.getGroup(), open.getKey(), open.getRank(), open.getSize());
        opened = open;
        devices = new DeviceJoin(collectives, open.getGroup(), open.getKey(), open.getRank());
        return DeviceOffer.joined(entrance.address(), devices.offer());
    }

    /**
     * Joins the group. Returns a description of how the members exchange; empty if no member has a device library.
     */
    private String join(PeerQuestion.Join join) throws IOException, InterruptedException {
        PeerRendezvous way = entrance();
        List<String> addresses =
                join.getAddressesList().stream().map(DeviceOffer::address).toList();
        Duration timeout = Duration.ofMillis(join.getPatienceMillis());
        List<PeerLane> lanes = way.connect(addresses, timeout);
        PeerGroup joined = new PeerGroup(opened.getGroup(), opened.getRank(), lanes);
        String how = devices.join(
                joined, join.getAddressesList().stream().map(DeviceOffer::of).toList(), timeout);
        synchronized (this) {
            if (way != entrance) {
                joined.close("the member has left");
                return "";
            }
            joined.sendState(state);
            group = joined;
            notifyAll();
            if (isClosed) {
                group.close("the session of a member has ended");
            }
            return how;
        }
    }

    /** Leaves a group. Its waiting exchanges fail, and later exchanges fail until another group is opened. */
    public synchronized void leave(String name) {
        if (opening.remove(name) && opened == null) {
            isExpected = false;
            notifyAll();
            return;
        }
        if (opened == null || !opened.getGroup().equals(name)) {
            return;
        }
        release("the member has left");
        opened = null;
        entrance = null;
        group = null;
        isExpected = false;
        isJoining = false;
    }

    private synchronized PeerRendezvous entrance() {
        requireOpen();
        if (entrance == null || isJoining) {
            throw new OutpostException(FaultKind.USER, "group: expected an open group, joined once");
        }
        isJoining = true;
        return entrance;
    }

    private void requireOpen() {
        if (isClosed) {
            throw new OutpostException(FaultKind.EXTERNAL, "group: the session has ended");
        }
    }

    /**
     * Begins an exchange of elements in the host's memory. The worker thread calls this without its time slice,
     * because it may wait for other members.
     */
    public PeerGroup.Underway begin(Collective collective, Shape shape, byte[] elements, Optional<Fault> lost)
            throws InterruptedException {
        return awaitGroup(collective.label()).begin(collective, shape, elements, lost);
    }

    // ---- state of members

    /** Sets the source of this session's state for other members. Must be called before the session joins a group. */
    public synchronized void setStateSource(Supplier<byte[]> snapshot) {
        state = snapshot;
    }

    /** Returns the latest states of the other members, by rank, and asks them for new ones. Does not wait. */
    public SortedMap<Integer, Slice> states() {
        PeerGroup joined;
        synchronized (this) {
            joined = group;
        }
        return joined == null ? Collections.emptySortedMap() : joined.states();
    }

    // ---- segments

    /** Sends parts of a segment to the members to which this one has to pass them on. Does not wait. */
    public void passOn(SegmentBundle bundle) {
        segments.passOn(bundle);
    }

    /**
     * Starts to receive a segment from another member, and passes on the parts for other members that arrive with it.
     * Does not wait.
     */
    public void expect(ToRuntime.TakeSegment take) {
        segments.expect(take);
    }

    /** Waits for an expected segment. Called by the worker thread without its time slice. */
    public ToRuntime.SegmentMessage take(ToRuntime.TakeSegment take) throws InterruptedException {
        return segments.take(take.number()).own();
    }

    // ---- exchanges

    /** Returns true if the members are connected, so that no call here waits for the connections. */
    public synchronized boolean isJoined() {
        return group != null;
    }

    /** Works like {@link PeerGroup#devices}, but waits until the other members are connected. */
    public Optional<DeviceCommunicator> devices(Collective collective, Shape operand) throws InterruptedException {
        return awaitGroup(collective.label()).devices(collective, operand);
    }

    /** Works like {@link PeerGroup#exchanger}, but empty while the members are not connected. */
    public synchronized Optional<Kernel> exchanger() {
        return group == null ? Optional.empty() : group.exchanger();
    }

    /** Works like {@link PeerGroup#offer}, but waits until the other members are connected. */
    public LaunchGroupOffer offer(Collective first, Shape operand, long last) throws InterruptedException {
        return awaitGroup(first.label()).offer(first, operand, last);
    }

    /**
     * Begins an exchange of elements in the device's memory.
     *
     * @param prepared the exchange; null if this member lost its operand
     */
    public PeerGroup.Underway begin(Collective collective, Shape shape, DeviceExchange prepared, Optional<Fault> lost)
            throws InterruptedException {
        return awaitGroup(collective.label()).begin(collective, shape, prepared, lost);
    }

    /** Waits until the other members are connected. If a member never connects, the client ends the session. */
    private synchronized PeerGroup awaitGroup(String op) throws InterruptedException {
        if (!isExpected) {
            throw new OutpostException(FaultKind.USER, op + ": the session is no member of a group of machines");
        }
        while (group == null && isExpected) {
            requireOpen();
            wait();
        }
        if (group == null) {
            throw new OutpostException(FaultKind.EXTERNAL, op + ": the session has left its group");
        }
        return group;
    }

    /** Records that the session will open a group. Called before any message that relies on it. */
    public synchronized void expect(String name) {
        opening.add(name);
        isExpected = true;
    }

    /** Leaves the group permanently, and sends the reason to the other members. */
    public synchronized void close(String reason) {
        isClosed = true;
        release(reason);
    }

    private void release(String reason) {
        notifyAll();
        if (entrance != null) {
            entrance.close();
        }
        if (group != null) {
            group.close(reason);
        }
        if (devices != null) {
            devices.end();
        }
    }
}

package dev.outpost.channel.delivery;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The lanes of a session, on either side. */
public final class Lanes {
    private final Map<Lane, ReliableLane> lanes;
    private final Map<Lane, LongAdder> bytesReceived = Lane.each(lane -> new LongAdder());

    /**
     * @param deliveries receives the payloads of each lane, in order, under that lane's lock
     * @param clock a monotonic clock in nanoseconds
     */
    public Lanes(Map<Lane, Consumer<Bytes>> deliveries, LongSupplier clock) {
        lanes = Lane.each(lane -> new ReliableLane(lane, Objects.requireNonNull(deliveries.get(lane)), clock));
    }

    public ReliableLane get(Lane lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    public ReliableLane control() {
        return get(Lane.CONTROL);
    }

    public ReliableLane bulk() {
        return get(Lane.BULK);
    }

    /**
     * Attaches a new connection, and sends the frames again that the other side lacks.
     *
     * @param receivedByPeer the last frame that the other side has, by lane number
     */
    public void attach(FrameOutput output, long[] receivedByPeer) {
        lanes.forEach((lane, reliable) -> reliable.attach(output, receivedByPeer[lane.number()]));
    }

    /** Detaches the connection. Later frames wait for the next one. */
    public void detach() {
        lanes.values().forEach(ReliableLane::detach);
    }

    public void onData(Frame.Data frame) {
        get(frame.lane()).onData(frame);
    }

    /** Receives a compressed frame, see {@link ReliableLane#onPacked}. */
    public void onPacked(Frame.Packed frame) {
        get(frame.lane()).onPacked(frame);
    }

    /** Turns compression on or off, see {@link ReliableLane#pack}. */
    public void pack(boolean isAgreed) {
        lanes.values().forEach(lane -> lane.pack(isAgreed));
    }

    public void onAck(Frame.Ack frame) {
        get(frame.lane()).onAck(frame);
    }

    /** Counts the bytes of a received frame of a lane. */
    public void count(Lane lane, int frameBytes) {
        received(lane).add(frameBytes);
    }

    /** Sets the rate of signs of life, see {@link ReliableLane#outlive}. */
    public void outlive(Duration silence) {
        lanes.values().forEach(lane -> lane.outlive(silence));
    }

    /** Does periodic work. Called every few milliseconds. */
    public void tick() {
        lanes.values().forEach(ReliableLane::tick);
    }

    /** Stops receiving, see {@link ReliableLane#stopReceiving}. */
    public void stopReceiving() {
        lanes.values().forEach(ReliableLane::stopReceiving);
    }

    /** Ends the session. Waiting senders and all later senders get the reason. */
    public void end(OutpostException reason) {
        lanes.values().forEach(lane -> lane.end(reason));
    }

    /** Returns the number of the last received frame, by lane number. */
    public long[] received() {
        return lanes.values().stream().mapToLong(ReliableLane::received).toArray();
    }

    /** Returns true if no frame was received on any lane. */
    public boolean isUntouched() {
        return lanes.values().stream().allMatch(lane -> lane.received() == 0);
    }

    public boolean isAllAcknowledged() {
        return lanes.values().stream().allMatch(lane -> lane.pendingBytes() == 0);
    }

    /** Returns the number of bytes received on a lane. */
    public long bytesReceived(Lane lane) {
        return received(lane).sum();
    }

    private LongAdder received(Lane lane) {
        return Objects.requireNonNull(bytesReceived.get(lane));
    }

    /** Returns the number of bytes sent on a lane, including acknowledgements and repeats. */
    public long bytesSent(Lane lane) {
        return get(lane).bytesSent();
    }

    /** Returns the number of data frames sent so far, including repeats. */
    public long framesSent() {
        return lanes.values().stream().mapToLong(ReliableLane::framesSent).sum();
    }
}

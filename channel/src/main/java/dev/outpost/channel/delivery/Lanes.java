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
     * @param deliveries what takes the payloads of each lane, in order, under that lane's lock
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
     * A new connection is there: what the other side lacks goes out again.
     *
     * @param receivedByPeer by lane number, the last frame that the other side has
     */
    public void attach(FrameOutput output, long[] receivedByPeer) {
        lanes.forEach((lane, reliable) -> reliable.attach(output, receivedByPeer[lane.number()]));
    }

    /** The connection is gone; what is sent meanwhile waits for the next. */
    public void detach() {
        lanes.values().forEach(ReliableLane::detach);
    }

    public void onData(Frame.Data frame) {
        get(frame.lane()).onData(frame);
    }

    /** As {@link ReliableLane#onPacked}. */
    public void onPacked(Frame.Packed frame) {
        get(frame.lane()).onPacked(frame);
    }

    /** As {@link ReliableLane#pack}. */
    public void pack(boolean isAgreed) {
        lanes.values().forEach(lane -> lane.pack(isAgreed));
    }

    public void onAck(Frame.Ack frame) {
        get(frame.lane()).onAck(frame);
    }

    /** Notes that a frame of so many bytes came on a lane. */
    public void count(Lane lane, int frameBytes) {
        received(lane).add(frameBytes);
    }

    /** As {@link ReliableLane#outlive}. */
    public void outlive(Duration silence) {
        lanes.values().forEach(lane -> lane.outlive(silence));
    }

    /** Called every few milliseconds. */
    public void tick() {
        lanes.values().forEach(ReliableLane::tick);
    }

    /** As {@link ReliableLane#stopReceiving}. */
    public void stopReceiving() {
        lanes.values().forEach(ReliableLane::stopReceiving);
    }

    /** The session is over: senders that wait, and all later ones, get the reason. */
    public void end(OutpostException reason) {
        lanes.values().forEach(lane -> lane.end(reason));
    }

    /** By lane number, the last frame that is here. */
    public long[] received() {
        return lanes.values().stream().mapToLong(ReliableLane::received).toArray();
    }

    /** Whether no frame of any lane has come. */
    public boolean isUntouched() {
        return lanes.values().stream().allMatch(lane -> lane.received() == 0);
    }

    public boolean isAllAcknowledged() {
        return lanes.values().stream().allMatch(lane -> lane.pendingBytes() == 0);
    }

    /** Bytes of all frames that came on a lane. */
    public long bytesReceived(Lane lane) {
        return received(lane).sum();
    }

    private LongAdder received(Lane lane) {
        return Objects.requireNonNull(bytesReceived.get(lane));
    }

    /** Bytes sent on a lane, acknowledgements and repeats included. */
    public long bytesSent(Lane lane) {
        return get(lane).bytesSent();
    }

    /** Data frames sent so far, repeats included. */
    public long framesSent() {
        return lanes.values().stream().mapToLong(ReliableLane::framesSent).sum();
    }
}

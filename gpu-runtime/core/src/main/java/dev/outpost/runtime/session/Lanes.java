package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The two lanes of a session. */
final class Lanes {
    static final int CONTROL = 0;
    static final int BULK = 1;

    private static final long WINDOW_BYTES = 16L << 20;

    private final ReliableLane control;
    private final ReliableLane bulk;
    private final List<ReliableLane> both;

    Lanes(Consumer<Bytes> onControl, Consumer<Bytes> onBulk, LongSupplier clock) {
        control = new ReliableLane(CONTROL, WINDOW_BYTES, onControl, clock);
        bulk = new ReliableLane(BULK, WINDOW_BYTES, onBulk, clock);
        both = List.of(control, bulk);
    }

    ReliableLane control() {
        return control;
    }

    ReliableLane bulk() {
        return bulk;
    }

    void attach(ReliableLane.Output output, long[] receivedByClient) {
        control.attach(output, receivedByClient[CONTROL]);
        bulk.attach(output, receivedByClient[BULK]);
    }

    void detach() {
        both.forEach(ReliableLane::detach);
    }

    void onData(Frame.Data frame) {
        both.get(frame.lane()).onData(frame);
    }

    void onAck(Frame.Ack frame) {
        both.get(frame.lane()).onAck(frame);
    }

    void tick() {
        both.forEach(ReliableLane::tick);
    }

    void stopReceiving() {
        both.forEach(ReliableLane::stopReceiving);
    }

    void end(OutpostException reason) {
        both.forEach(lane -> lane.end(reason));
    }

    /** The last frame of each lane that is here. */
    long[] received() {
        return new long[] {control.received(), bulk.received()};
    }

    boolean isUntouched() {
        return control.received() == 0 && bulk.received() == 0;
    }

    boolean isAllAcknowledged() {
        return control.pendingBytes() == 0 && bulk.pendingBytes() == 0;
    }
}

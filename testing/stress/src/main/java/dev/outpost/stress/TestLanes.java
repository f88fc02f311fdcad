package dev.outpost.stress;

import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import java.util.function.Consumer;

/** Lanes for races. */
final class TestLanes {
    private static final long WINDOW_BYTES = 1 << 20;

    private TestLanes() {}

    static ReliableLane sending() {
        return receiving(payload -> {});
    }

    static ReliableLane receiving(Consumer<Bytes> delivery) {
        return new ReliableLane(Lane.CONTROL, WINDOW_BYTES, delivery, System::nanoTime);
    }

    /** Sends one byte without waiting, because the window is never full here. */
    static void send(ReliableLane lane, int content) {
        try {
            lane.send(new byte[] {(byte) content});
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static Frame.Data data(long number) {
        byte[] frame = new Frame.Data(Lane.CONTROL, number, 0, new byte[] {(byte) number}).encode();
        return (Frame.Data) Frame.decode(frame);
    }

    static Frame.Ack acknowledged(long number) {
        return new Frame.Ack(Lane.CONTROL, number);
    }
}

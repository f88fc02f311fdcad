package dev.outpost.client;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.Message;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A machine that welcomes a client, acknowledges all that it is sent, and never answers anything but a goodbye. */
final class SilentRuntime implements FrameConnector {
    private volatile RuntimeException defect;

    /** Whoever sends a message from here on meets that. */
    void failWith(RuntimeException unexpected) {
        defect = unexpected;
    }

    @Override
    public FrameChannel open(FrameListener listener) {
        return new Connection(listener);
    }

    private final class Connection implements FrameChannel {
        private final FrameListener listener;
        private final BlockingQueue<byte[]> inbox = new LinkedBlockingQueue<>();
        private final ReliableLane[] lanes = {lane(0), lane(1)};
        private final Thread thread;

        Connection(FrameListener listener) {
            this.listener = listener;
            this.thread = Thread.ofVirtual().name("silent").start(this::run);
        }

        private ReliableLane lane(int number) {
            return new ReliableLane(number, 1 << 20, this::take, System::nanoTime);
        }

        @Override
        public void send(Lane lane, byte[] frame) {
            if (defect != null) {
                throw defect;
            }
            inbox.add(frame);
        }

        @Override
        public void close() {
            thread.interrupt();
        }

        private void run() {
            try {
                while (true) {
                    accept(Frame.decode(inbox.take()));
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }

        private void accept(Frame frame) {
            switch (frame) {
                case Frame.Hello hello -> greet();
                case Frame.Data data -> {
                    lanes[data.lane()].onData(data);
                    lanes[data.lane()].tick();
                }
                case Frame.Ack ack -> lanes[ack.lane()].onAck(ack);
                case Frame.End end -> close();
                case Frame.Welcome welcome -> throw new IllegalStateException("a client welcomed the machine");
            }
        }

        private void greet() {
            byte[] welcome = new Frame.Welcome(new long[Frame.LANES], 30_000, 1L << 30, "silent").encode();
            listener.onFrame(Lane.CONTROL, welcome);
            for (ReliableLane lane : lanes) {
                lane.attach((number, bytes) -> listener.onFrame(Lane.values()[number], bytes), 0);
            }
        }

        private void take(Bytes payload) {
            if (Message.decodeAll(payload).stream().anyMatch(Message.Goodbye.class::isInstance)) {
                lanes[0].sendNow(new Message.Farewell(List.of()).encode());
            }
        }
    }
}

package dev.outpost.client.session;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.Farewell;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A machine that welcomes a client, acknowledges all messages, and answers only a goodbye. */
final class SilentRuntime implements FrameConnector {
    private volatile RuntimeException defect;

    /** Makes every later message fail with that exception. */
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
        private final Lanes lanes = new Lanes(Lane.each(lane -> this::take), System::nanoTime);
        private final Thread thread;

        Connection(FrameListener listener) {
            this.listener = listener;
            this.thread = Thread.ofVirtual().name("silent").start(this::run);
        }

        @Override
        public void send(Lane lane, byte[] frame) {
            if (defect != null) {
                throw defect;
            }
            inbox.add(frame);
        }

        @Override
        public void close(String reason) {
            thread.interrupt();
        }

        private void run() {
            try {
                while (true) {
                    accept(Frame.decode(inbox.take()));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void accept(Frame frame) {
            switch (frame) {
                case Frame.Connection connection -> accept(connection.message());
                case Frame.Data data -> {
                    lanes.onData(data);
                    lanes.tick();
                }
                case Frame.Packed packed -> throw new IllegalStateException("nothing was agreed to be packed");
                case Frame.Ack ack -> lanes.onAck(ack);
            }
        }

        private void accept(ConnectionMessage message) {
            if (message.hasHello()) {
                greet(message.getHello());
            } else {
                close();
            }
        }

        private void greet(Hello hello) {
            NegotiatedProtocol negotiated =
                    ProtocolVersions.CURRENT.agree(hello).orElseThrow();
            byte[] welcome = Frame.Connection.of(
                            ConnectionMessages.welcome(lanes.received(), 30_000, 1L << 30, "silent", negotiated))
                    .encode();
            listener.onFrame(Lane.CONTROL, welcome);
            lanes.attach(listener::onFrame, new long[Lane.ALL.size()]);
        }

        private void take(Bytes payload) {
            if (Message.decodeAll(payload).stream().anyMatch(ToRuntime.Request.goodbye()::equals)) {
                lanes.control()
                        .sendNow(
                                ToClient.Reply.of(Farewell.getDefaultInstance()).encode());
            }
        }
    }
}

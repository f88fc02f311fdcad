package dev.outpost.bench;

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
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A machine that accepts everything and computes nothing, so that recording and sending can be measured alone. It answers on
 * a separate thread, like a network.
 */
final class AbsorbingRuntime implements FrameConnector {
    @Override
    public FrameChannel open(FrameListener listener) {
        return new Connection(listener);
    }

    private static final class Connection implements FrameChannel {
        private final FrameListener listener;
        private final Lanes lanes = new Lanes(Lane.each(lane -> this::take), System::nanoTime);
        private final Thread thread;
        private final LinkedBlockingQueue<byte[]> inbox = new LinkedBlockingQueue<>();
        private long segments;

        Connection(FrameListener listener) {
            this.listener = listener;
            this.thread = Thread.ofPlatform().daemon().name("absorbing").start(this::run);
        }

        @Override
        public void send(Lane lane, byte[] frame) {
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
                    if (inbox.isEmpty()) {
                        lanes.tick();
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void accept(Frame frame) throws InterruptedException {
            switch (frame) {
                case Frame.Connection connection -> accept(connection.message());
                case Frame.Data data -> {
                    long before = segments;
                    lanes.onData(data);
                    if (segments > before) {
                        lanes.control().send(new ToClient.Progress(segments, 0, 0, 0, 0, 0).encode());
                    }
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
            byte[] welcome = Frame.Connection.of(ConnectionMessages.welcome(
                            lanes.received(), 30_000, Long.MAX_VALUE, "absorbing", negotiated))
                    .encode();
            listener.onFrame(Lane.CONTROL, welcome);
            lanes.attach(listener::onFrame, new long[Lane.ALL.size()]);
        }

        private void answer(ToRuntime.Request request) {
            if (request.request().hasGoodbye()) {
                byte[] farewell =
                        ToClient.Reply.of(Farewell.getDefaultInstance()).encode();
                lanes.control().sendNow(farewell);
            }
        }

        private void take(Bytes payload) {
            for (Message message : Message.decodeAll(payload)) {
                switch (message) {
                    case ToRuntime.RunSegment _, ToRuntime.RememberSegment _, ToRuntime.RepeatSegment _ -> segments++;
                    case ToRuntime.Request request -> answer(request);
                    default -> {
                        // The client asks nothing, so there is no answer.
                    }
                }
            }
        }
    }
}

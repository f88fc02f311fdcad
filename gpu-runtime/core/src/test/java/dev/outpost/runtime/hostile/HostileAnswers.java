package dev.outpost.runtime.hostile;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy of a machine that answers reads of its client with wrong data. */
public final class HostileAnswers implements FrameConnector {
    private static final int CHUNK_BYTES = 1 << 10;

    /** The kind of its misbehaviour. */
    public enum Manner {
        /** It does not misbehave. */
        HONEST,
        /** Each answer has an additional dimension. */
        WRONG_SHAPES,
        /** An answer that does not end. */
        ENDLESS_DATA,
        /** No answer is sent. */
        SILENCE
    }

    private final FrameConnector honest;
    private final List<HostileListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger senders = new AtomicInteger();
    private volatile Manner manner = Manner.HONEST;

    public HostileAnswers(FrameConnector honest) {
        this.honest = honest;
    }

    public void become(Manner next) {
        manner = next;
    }

    /** Ends the misbehaviour, on new connections. */
    public void repent() {
        manner = Manner.HONEST;
        List.copyOf(listeners).forEach(listener -> listener.onClosed("the connection broke"));
    }

    /** Returns true if no endless answer is being sent any more, because the client has closed the connections. */
    public boolean isCutOff() {
        return senders.get() == 0;
    }

    @Override
    public FrameChannel open(FrameListener client) throws IOException {
        HostileListener listener = new HostileListener(client);
        FrameChannel channel = honest.open(listener);
        listeners.add(listener);
        return new FrameChannel() {
            @Override
            public void send(Lane lane, byte[] frame) {
                channel.send(lane, frame);
            }

            @Override
            public void close(String reason) {
                listener.isClosed = true;
                listeners.remove(listener);
                channel.close(reason);
            }
        };
    }

    private final class HostileListener implements FrameListener {
        private final FrameListener client;
        private volatile boolean isClosed;

        HostileListener(FrameListener client) {
            this.client = client;
        }

        @Override
        public void onFrame(Lane lane, byte[] frame) {
            if (manner == Manner.HONEST) {
                client.onFrame(lane, frame);
            } else if (manner != Manner.SILENCE) {
                client.onFrame(lane, changed(frame));
            }
        }

        private byte[] changed(byte[] frame) {
            if (!(Frame.decode(frame) instanceof Frame.Data data)) {
                return frame;
            }
            ByteWriter payload = new ByteWriter();
            Message.decodeAll(data.payload())
                    .forEach(message -> changed(message).write(payload));
            return new Frame.Data(data.lane(), data.number(), data.acknowledged(), payload.toByteArray()).encode();
        }

        private Message changed(Message message) {
            if (!(message instanceof ToClient.Fetched fetched)) {
                return message;
            }
            if (manner == Manner.ENDLESS_DATA) {
                senders.incrementAndGet();
                Thread.ofVirtual().start(() -> sendEndlessly(fetched.fetch()));
                return new ToClient.Fetched(fetched.fetch(), fetched.type(), new byte[0]);
            }
            long[] sizes = fetched.type().shape().toArray();
            long[] wrong = new long[sizes.length + 1];
            System.arraycopy(sizes, 0, wrong, 1, sizes.length);
            wrong[0] = 1;
            return new ToClient.Fetched(
                    fetched.fetch(), new TensorType(fetched.type().dtype(), Shape.of(wrong)), fetched.bytes());
        }

        private void sendEndlessly(long fetch) {
            for (long piece = 0; !isClosed; piece++) {
                byte[] payload = new ToClient.DownloadChunk(fetch, piece * CHUNK_BYTES, new byte[CHUNK_BYTES]).encode();
                client.onFrame(Lane.BULK, new Frame.Data(Lane.BULK, piece + 1, 0, payload).encode());
            }
            senders.decrementAndGet();
        }

        @Override
        public void onReady(Lane lane) {
            client.onReady(lane);
        }

        @Override
        public void onClosed(String reason) {
            isClosed = true;
            listeners.remove(this);
            client.onClosed(reason);
        }
    }
}

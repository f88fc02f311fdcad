package dev.outpost.client.link;

import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.Backoff;
import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.client.SlowMachine;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.provider.support.Durations;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The connection of a session. It opens the connection, exchanges hellos, and passes frames to the lanes. If the connection breaks, it
 * opens another one, until a lease has passed without a connection.
 */
public final class Link {
    /** The events of a link for its session. */
    public interface Events {
        void welcomed(Welcome welcome, NegotiatedProtocol negotiated);

        /** Called when the connection broke and the client tries to reconnect. Must not block. */
        void disconnected(String reason);

        /** Called when the runtime ended the session. */
        void ended(End end);

        /** Called when the runtime broke the protocol. */
        void broken(OutpostException reason);

        /**
         * Called when there has been no connection for the duration of a lease; before the first connection, for the
         * duration of one attempt.
         */
        void lost(String reason);

        /** Called when the machine refuses this client. */
        void refused(String reason);
    }

    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(5), Duration.ofMillis(500));

    private final FrameConnector connector;
    private final UUID session;
    private final Lanes lanes;
    private final ProtocolVersions versions;
    private final Duration connectTimeout;
    private final Events events;
    /** Null if nothing is profiled. */
    private final SessionProfile profile;

    private Connection current;
    private boolean welcomed;
    private boolean closed;
    private long timeoutMillis;

    /** @param profile null if nothing is profiled */
    public Link(
            FrameConnector connector,
            UUID session,
            Lanes lanes,
            ProtocolVersions versions,
            Duration connectTimeout,
            Events events,
            SessionProfile profile) {
        this.profile = profile;
        this.connector = connector;
        this.session = session;
        this.lanes = lanes;
        this.versions = versions;
        this.connectTimeout = connectTimeout;
        this.timeoutMillis = connectTimeout.toMillis();
        this.events = events;
    }

    /** Connects, with several attempts. Reports {@link Events#lost} if all of them fail. */
    public void connect() {
        Backoff.Pauses pauses =
                BACKOFF.withTimeout(Duration.ofMillis(timeoutMillis)).begin();
        String failure = "no attempt was made";
        while (!isClosed()) {
            try {
                attempt();
                return;
            } catch (AccessRefusedException refused) {
                events.refused(refused.getMessage());
                return;
            } catch (IOException | TimeoutException exception) {
                failure = exception.getMessage() == null ? exception.toString() : exception.getMessage();
            }
            if (!sleep(pauses)) {
                events.lost(
                        welcomed
                                ? "there was no connection to it for its lease of "
                                        + Durations.text(Duration.ofMillis(timeoutMillis)) + ": " + failure
                                : failure);
                return;
            }
        }
    }

    /** Closes the connection for good. */
    public void close() {
        Connection closing;
        synchronized (this) {
            closed = true;
            closing = current;
            current = null;
        }
        if (closing != null) {
            closing.close();
        }
    }

    private void attempt() throws IOException, TimeoutException {
        Connection connection = new Connection();
        synchronized (this) {
            current = connection;
        }
        connection.open();
        try {
            connection.handshake.get(connectTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            connection.close();
            throw new IOException(failure.getCause().getMessage(), failure);
        } catch (TimeoutException ignored) {
            connection.close();
            throw new TimeoutException(SlowMachine.sentence("the machine", connectTimeout));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            connection.close();
            throw new IOException("interrupted while connecting", interrupted);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean isCurrent(Connection connection) {
        return !closed && current == connection;
    }

    private static boolean sleep(Backoff.Pauses pauses) {
        try {
            return pauses.sleep();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** One connection, from its opening to its end. Frames of a closed connection are ignored. */
    private final class Connection implements FrameListener {
        final CompletableFuture<Void> handshake = new CompletableFuture<>();
        private final CompletableFuture<FrameChannel> channel = new CompletableFuture<>();

        void open() throws IOException {
            channel.complete(connector.open(this));
            if (!isCurrent(this)) {
                close();
                throw new IOException("the session was closed meanwhile");
            }
            Hello hello = ConnectionMessages.hello(session, welcomed, lanes.received(), versions);
            channel.join().send(Lane.CONTROL, Frame.Connection.of(hello).encode());
        }

        void close() {
            channel.thenAccept(FrameChannel::close);
        }

        @Override
        public void onFrame(Lane lane, byte[] frame) {
            onFrame(lane, ByteBuffer.wrap(frame));
        }

        @Override
        public void onFrame(Lane lane, ByteBuffer... lent) {
            Bytes frame = Bytes.of(lent);
            lanes.count(lane, frame.length());
            if (profile != null) {
                profile.received(lane, frame.length());
            }
            if (!isCurrent(this)) {
                return;
            }
            try {
                take(Frame.decode(frame));
            } catch (MalformedException malformed) {
                events.broken(malformed);
            } catch (RuntimeException failure) {
                // A frame that cannot be handled breaks the connection: a caller that waits for an answer must not wait
                // for ever.
                events.broken(new OutpostException(
                        FaultKind.INTERNAL, "a frame of the machine could not be handled: " + failure, failure));
            }
        }

        @Override
        public void onReady(Lane lane) {
            lanes.get(lane).ready();
        }

        private void take(Frame frame) {
            switch (frame) {
                case Frame.Data data -> lanes.onData(data);
                case Frame.Packed packed -> lanes.onPacked(packed);
                case Frame.Ack ack -> lanes.onAck(ack);
                case Frame.Connection connection -> take(connection.message());
            }
        }

        private void take(ConnectionMessage message) {
            switch (message.getKindCase()) {
                case WELCOME -> welcome(message.getWelcome());
                case END -> {
                    events.ended(message.getEnd());
                    handshake.complete(null);
                }
                case HELLO, KIND_NOT_SET -> throw new MalformedException("the runtime said hello");
            }
        }

        private void welcome(Welcome welcome) {
            FrameChannel plain = channel.join();
            FrameOutput output = profile == null ? plain : new ProfiledOutput(plain, profile);
            NegotiatedProtocol negotiated = versions.accept(welcome);
            welcomed = true;
            timeoutMillis = welcome.getLeaseMillis();
            events.welcomed(welcome, negotiated);
            lanes.outlive(Duration.ofMillis(welcome.getLeaseMillis()));
            lanes.pack(negotiated.has(Feature.PACKED_BULK));
            lanes.attach(output, ConnectionMessages.received(welcome));
            handshake.complete(null);
        }

        @Override
        public void onClosed(String reason) {
            boolean wasConnected = handshake.isDone();
            handshake.completeExceptionally(new IOException(reason));
            if (wasConnected && isCurrent(this)) {
                lanes.detach();
                events.disconnected(reason);
                Thread.ofVirtual().name("outpost-reconnect").start(Link.this::connect);
            }
        }
    }
}

package dev.outpost.provider.mock;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.delivery.Lanes;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that connects, reconnects when the connection is lost, and has the lanes of every client. */
final class LaneClient implements AutoCloseable {
    private final UUID id = UUID.randomUUID();
    private final FrameConnector connector;
    private final LinkedBlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> closings = new LinkedBlockingQueue<>();
    private final Lanes lanes = new Lanes(Lane.each(lane -> this::deliver), System::nanoTime);
    private final AtomicInteger connections = new AtomicInteger();
    private final Thread keeper;
    private volatile boolean closed;
    volatile Welcome welcome;
    volatile OutpostException ended;

    LaneClient(Lease lease) {
        connector = ((Endpoint.InProcess) lease.endpoint()).connector();
        keeper = Thread.ofVirtual().start(this::keepConnected);
    }

    void control(Message message) throws InterruptedException {
        lanes.control().send(message.encode());
    }

    void bulk(Message message) throws InterruptedException {
        lanes.bulk().send(message.encode());
    }

    /** The next message that is not a report of progress. */
    <T extends Message> T take(Class<T> kind) throws InterruptedException {
        while (true) {
            Message message = Await.next("a message; ended: " + ended + ", closings: " + closings, inbox);
            if (!(message instanceof ToClient.Progress)) {
                return kind.cast(message);
            }
        }
    }

    String closing() throws InterruptedException {
        return Await.next("the connection is closed", closings);
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        keeper.interrupt();
        keeper.join();
    }

    private void deliver(Bytes payload) {
        inbox.addAll(Message.decodeAll(payload));
    }

    private void keepConnected() {
        while (!closed && ended == null) {
            Connection connection = new Connection();
            try (FrameChannel channel = connector.open(connection)) {
                connections.incrementAndGet();
                connection.greet(channel);
                connection.tickUntilClosed();
            } catch (IOException failure) {
                closings.add(failure.getMessage());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Connection implements FrameListener {
        private volatile FrameChannel channel;
        private volatile boolean gone;

        void greet(FrameChannel opened) {
            channel = opened;
            Hello hello = ConnectionMessages.hello(id, welcome != null, lanes.received(), ProtocolVersions.CURRENT);
            opened.send(Lane.CONTROL, Frame.Connection.of(hello).encode());
        }

        void tickUntilClosed() {
            while (!gone && !closed) {
                pause();
                lanes.tick();
            }
            lanes.detach();
        }

        @Override
        public void onFrame(Lane lane, byte[] bytes) {
            switch (Frame.decode(bytes)) {
                case Frame.Connection connection -> take(connection.message());
                case Frame.Data data -> lanes.onData(data);
                case Frame.Packed packed -> throw new IllegalStateException("nothing was agreed to be packed");
                case Frame.Ack ack -> lanes.onAck(ack);
            }
        }

        private void take(ConnectionMessage message) {
            switch (message.getKindCase()) {
                case WELCOME -> {
                    welcome = message.getWelcome();
                    lanes.attach(channel, ConnectionMessages.received(welcome));
                }
                case END -> {
                    Fault fault = message.getEnd().getFault();
                    ended = new OutpostException(FaultMessages.kind(fault), fault.getMessage());
                }
                case HELLO, KIND_NOT_SET -> throw new IllegalStateException("a hello from the machine");
            }
        }

        @Override
        public void onClosed(String reason) {
            closings.add(reason);
            gone = true;
        }
    }
}

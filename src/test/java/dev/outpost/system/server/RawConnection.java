package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.util.UUID;

/** A handmade client with real calls: it does what the client of the api module would never do. */
final class RawConnection implements AutoCloseable {
    static final long[] NOTHING = {0, 0};

    final RawLane control;
    final RawLane bulk;
    private final ManagedChannel controlChannel;
    private final ManagedChannel bulkChannel;
    private final long[] sent = new long[Lane.ALL.size()];

    private RawConnection(RuntimeProcess runtime) {
        controlChannel = RawChannel.to(runtime);
        bulkChannel = RawChannel.to(runtime);
        String number = UUID.randomUUID().toString();
        control = RawLane.start(controlChannel, RuntimeCalls.of(Lane.CONTROL), headers(number, runtime.secret()));
        bulk = RawLane.start(bulkChannel, RuntimeCalls.of(Lane.BULK), headers(number, runtime.secret()));
    }

    /** Opens both lanes; the lanes show whether the machine accepts them. */
    static RawConnection open(RuntimeProcess runtime) {
        return new RawConnection(runtime);
    }

    /** Opens a connection with a new session, which reads the control lane at once and the bulk lane on request. */
    static RawConnection greeted(RuntimeProcess runtime) throws InterruptedException {
        RawConnection connection = open(runtime);
        connection.hello(UUID.randomUUID(), false, NOTHING);
        connection.welcome();
        return connection;
    }

    static Metadata headers(String connection, String secret) {
        Metadata headers = new Metadata();
        headers.put(RuntimeCalls.CONNECTION, connection);
        headers.put(RuntimeCalls.AUTHORIZATION, RuntimeCalls.BEARER + secret);
        return headers;
    }

    void hello(UUID session, boolean resume, long[] received) {
        control.awaitAccepted();
        control.request(Integer.MAX_VALUE);
        control.send(helloFrame(session, resume, received));
    }

    void control(Message message) {
        control.send(data(Lane.CONTROL, message));
    }

    void bulk(Message message) {
        bulk.send(data(Lane.BULK, message));
    }

    void acknowledge(Lane lane, long number) {
        control.send(new Frame.Ack(lane, number).encode());
    }

    /** A segment that makes a value of ones. */
    void fill(long id, long elements) {
        run(new Fill(Shape.of(elements), Scalar.of(DType.FLOAT32, 1)), id);
    }

    /** A segment that waits for an upload. */
    void use(long id, long upload, long elements) {
        run(new Upload(new TensorType(DType.FLOAT32, Shape.of(elements)), upload), id);
    }

    /** The next message on the control lane, except reports of progress and unrequested reports of failures. */
    Message next() throws InterruptedException {
        while (true) {
            if (control.next() instanceof Frame.Data data) {
                for (Message message : Message.decodeAll(data.payload())) {
                    if (!isReport(message)) {
                        return message;
                    }
                }
            }
        }
    }

    private static boolean isReport(Message message) {
        return message instanceof ToClient.Progress
                || message instanceof ToClient.Reply told && told.reply().hasFailed();
    }

    /** The next frame on the control lane, which must be a welcome. */
    Welcome welcome() throws InterruptedException {
        ConnectionMessage message =
                assertInstanceOf(Frame.Connection.class, control.next()).message();
        assertTrue(message.hasWelcome(), message::toString);
        return message.getWelcome();
    }

    static byte[] helloFrame(UUID session, boolean resume, long[] received) {
        return Frame.Connection.of(ConnectionMessages.hello(session, resume, received, ProtocolVersions.CURRENT))
                .encode();
    }

    /** The reason for which the machine ended the session. */
    End end() throws InterruptedException {
        while (true) {
            if (control.next() instanceof Frame.Connection connection
                    && connection.message().hasEnd()) {
                return connection.message().getEnd();
            }
        }
    }

    private void run(Op op, long id) {
        SegmentWriter segment = new SegmentWriter();
        segment.begin(op, 0);
        segment.finish(op, id, 1);
        control(new ToRuntime.RunSegment(segment.toByteArray()));
    }

    private byte[] data(Lane lane, Message message) {
        return new Frame.Data(lane, ++sent[lane.number()], 0, message.encode()).encode();
    }

    /** Ends the session, if there is one. */
    void leave() {
        control(ToRuntime.Request.goodbye());
    }

    /** The client dies: its transports are gone. */
    @Override
    public void close() {
        controlChannel.shutdownNow();
        bulkChannel.shutdownNow();
    }
}

package dev.outpost.runtime.session;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.Farewell;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.protocol.op.Upload;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;

/** A client that sends random messages, and acknowledges those that it receives. */
final class HostileClient implements FrameChannel {
    private final HostileNumbers numbers;
    private final HostileBytes bytes;
    private final HostileSegments segments;
    private final HostileRepeats repeats;
    private final HostilePrograms programs;
    private final RuntimeConnection connection;
    private final long[] sent = new long[Lane.ALL.size()];
    private final long[] received = new long[Lane.ALL.size()];
    private final ConcurrentLinkedQueue<Fault> defects = new ConcurrentLinkedQueue<>();
    private byte[] previous = {};
    private int uploaded;
    private volatile boolean isOver;

    HostileClient(RuntimeHost host, RandomGenerator random) {
        numbers = new HostileNumbers(random);
        bytes = new HostileBytes(numbers);
        segments = new HostileSegments(numbers);
        repeats = new HostileRepeats(numbers, bytes, segments);
        programs = new HostilePrograms(numbers, bytes, segments);
        connection = host.accept(this);
        UUID id = new UUID(random.nextLong(), random.nextLong());
        if (!numbers.oneIn(200)) {
            connection.onFrame(hello(id, numbers.oneIn(100)));
        }
    }

    /** Returns true if the runtime has closed the connection. */
    boolean isOver() {
        return isOver;
    }

    /** Faults that report a defect of the runtime. */
    List<Fault> defects() {
        return List.copyOf(defects);
    }

    /** Sends a frame of a kind that need not end the session. */
    void sendOrderly() {
        send(orderly());
    }

    void sendDisorderly() {
        send(disorderly());
    }

    private void send(byte[] frame) {
        previous = frame;
        if (numbers.oneIn(2)) {
            lend(frame);
        } else {
            connection.onFrame(frame);
        }
    }

    /** Delivers a frame in two pieces, as a network may do, and then overwrites its memory, as a network reuses buffers. */
    private void lend(byte[] frame) {
        byte[] lent = frame.clone();
        int border = numbers.below(lent.length + 1);
        ByteBuffer second = ByteBuffer.wrap(lent, border, lent.length - border);
        connection.onFrame(Bytes.of(ByteBuffer.wrap(lent, 0, border), second));
        Arrays.fill(lent, (byte) 0xa5);
    }

    void acknowledge() {
        for (Lane lane : Lane.ALL) {
            connection.onFrame(new Frame.Ack(lane, received(lane)).encode());
        }
    }

    @Override
    public synchronized void send(Lane lane, byte[] frame) {
        switch (Frame.decode(frame)) {
            case Frame.Data data -> receive(data);
            case Frame.Connection connection -> receive(connection.message());
            case Frame.Packed packed -> receive(packed.unpack());
            case Frame.Ack _ -> {}
        }
    }

    @Override
    public void close(String reason) {
        isOver = true;
    }

    private void receive(ConnectionMessage message) {
        if (message.hasHello()) {
            throw new MalformedException("a runtime says no hello");
        }
        judge(message.getEnd().getFault());
    }

    private void receive(Frame.Data data) {
        int lane = data.lane().number();
        received[lane] = Math.max(received[lane], data.number());
        for (Message message : Message.decodeAll(data.payload())) {
            if (message instanceof ToClient.Reply told) {
                judge(told.reply().getFetchFailed().getFault());
                told.reply().getFarewell().getUnseenList().forEach(this::judge);
            }
        }
    }

    /** A wrong count would be a defect of Outpost's own client, but not of this one. */
    private void judge(Fault fault) {
        boolean lied = fault.getMessage().contains("the stated count is wrong");
        if (FaultMessages.kind(fault) == FaultKind.INTERNAL && !lied) {
            defects.add(fault);
        }
    }

    /** Messages that a client is allowed to send, though perhaps with a bad purpose. */
    private byte[] orderly() {
        return switch (numbers.below(20)) {
            case 0, 1, 2 -> data(Lane.CONTROL, fetch(segments.id()));
            case 3 -> data(Lane.CONTROL, free(segments.id()));
            case 4, 5 -> data(Lane.BULK, wholeUpload());
            case 6 -> new Frame.Ack(Lane.ofNumber(numbers.below(2)), 0).encode();
            case 7 -> previous;
            case 8 ->
                data(
                        Lane.CONTROL,
                        ToRuntime.Request.explain(numbers.any(), segments.anyId())
                                .encode());
            case 9 -> data(Lane.CONTROL, ToRuntime.Request.trace(numbers.any()).encode());
            case 10, 11, 12 -> data(Lane.CONTROL, programs.orderly().encode());
            default -> data(Lane.CONTROL, segment());
        };
    }

    private byte[] disorderly() {
        return switch (numbers.below(20)) {
            case 0 -> numbers.bytes(numbers.below(numbers.oneIn(4) ? 4000 : 64));
            case 1, 2 -> bytes.damage(data(Lane.CONTROL, segment()));
            case 3 -> bytes.damage(previous);
            case 4 -> bytes.splice(previous, data(Lane.CONTROL, segment()));
            case 5, 6 -> data(Lane.CONTROL, bytes.damage(segment()));
            case 7, 8 -> data(Lane.BULK, upload().encode());
            case 9 -> data(Lane.BULK, bytes.damage(upload().encode()));
            case 10 -> data(Lane.CONTROL, fetch(segments.anyId()));
            case 11 -> data(Lane.CONTROL, free(segments.anyId()));
            case 12 -> disorder();
            case 13, 14, 15 -> data(Lane.CONTROL, programs.disorderly().encode());
            default -> damagedSegment();
        };
    }

    private static byte[] fetch(long value) {
        return value == 0 ? new byte[0] : new ToRuntime.Fetch(value, value).encode();
    }

    private byte[] free(long value) {
        segments.forget(value);
        return value == 0 || value == Long.MIN_VALUE ? new byte[0] : new ToRuntime.Free(new long[] {value}).encode();
    }

    /** A whole upload for which a segment waits; empty if there is none, or if it has no bytes. */
    private byte[] wholeUpload() {
        if (uploaded == segments.uploads().size()) {
            return new byte[0];
        }
        Upload upload = segments.uploads().get(uploaded++);
        long total = upload.type().bytes();
        boolean whole = total > 0 && total < 10_000;
        int length = whole ? (int) total : total > 0 ? 8 : 0;
        return length == 0
                ? new byte[0]
                : new ToRuntime.UploadChunk(upload.upload(), upload.type().dtype(), total, 0, numbers.bytes(length))
                        .encode();
    }

    private byte[] segment() {
        return repeats.orderly().encode();
    }

    private byte[] damagedSegment() {
        return data(Lane.CONTROL, repeats.disorderly().encode());
    }

    private ToRuntime.UploadChunk upload() {
        DType dtype = numbers.dtype();
        boolean whole = numbers.oneIn(2);
        long total = whole ? dtype.bytes() * numbers.size() : numbers.any();
        int length = total > 0 && total < 4096 && !numbers.oneIn(5) ? (int) total : dtype.bytes() * numbers.below(9);
        long offset = numbers.oneIn(6) ? numbers.any() : 0;
        return new ToRuntime.UploadChunk(uploaded + numbers.below(3), dtype, total, offset, numbers.bytes(length));
    }

    private byte[] disorder() {
        return switch (numbers.below(12)) {
            case 0 -> hello(new UUID(numbers.bits(), 1), numbers.oneIn(2));
            case 1 -> Frame.Connection.of(Welcome.getDefaultInstance()).encode();
            case 2 -> end("x".repeat(numbers.below(9999)));
            case 3 -> new Frame.Ack(Lane.ofNumber(numbers.below(2)), numbers.any() & Long.MAX_VALUE).encode();
            case 4 ->
                new Frame.Data(Lane.CONTROL, sent[Lane.CONTROL.number()] + 1 + numbers.below(9), 0, segment()).encode();
            case 5 -> new Frame.Data(Lane.CONTROL, numbers.any() & Long.MAX_VALUE, 0, segment()).encode();
            case 6 -> data(Lane.CONTROL, upload().encode());
            case 7 -> data(Lane.BULK, segment());
            case 8 -> data(Lane.CONTROL, new ToClient.Progress(1, 1, 1, 1, 1, 1).encode());
            case 9 ->
                data(
                        Lane.CONTROL,
                        ToClient.Reply.of(Farewell.getDefaultInstance()).encode());
            case 10 -> data(Lane.CONTROL, ToRuntime.Request.goodbye().encode());
            default -> data(Lane.CONTROL, new byte[0]);
        };
    }

    private static byte[] hello(UUID id, boolean resume) {
        return Frame.Connection.of(ConnectionMessages.hello(id, resume, new long[2], ProtocolVersions.CURRENT))
                .encode();
    }

    private static byte[] end(String sentence) {
        return Frame.Connection.of(ConnectionMessages.end(FaultMessages.of(FaultKind.USER, sentence)))
                .encode();
    }

    private byte[] data(Lane lane, byte[] payload) {
        return new Frame.Data(lane, ++sent[lane.number()], received(lane), payload).encode();
    }

    private synchronized long received(Lane lane) {
        return received[lane.number()];
    }
}

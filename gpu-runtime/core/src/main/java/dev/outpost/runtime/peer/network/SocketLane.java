package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.message.SegmentBundle;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.ExchangeRun;
import dev.outpost.runtime.peer.PeerLane;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A lane over a connection. One thread writes and another thread reads, so that a stalled member blocks no other thread for longer than the
 * timeout. Queued messages are written together.
 */
final class SocketLane implements PeerLane {
    /** The time that the other member has to read the last messages before the connection is closed. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int READY = 0;
    private static final int ELEMENTS = 1;
    private static final int FAULT = 2;
    private static final int LEAVE = 3;
    private static final int BREAK = 4;
    private static final int SEGMENT = 5;
    /** The type of a message like {@link #ELEMENTS} whose elements are in shared memory. */
    private static final int SHARED_ELEMENTS = 6;

    private static final int ASK_STATE = 7;
    private static final int STATE = 8;

    /** The size in bytes from which elements are sent by shared memory. Fewer bytes are part of the message. */
    private static final int MIN_SHARED_BYTES = 4 << 10;
    /** The maximum number of bytes of messages without elements. */
    private static final int MAX_OF_A_TEXT = 64 << 10;

    private final PeerConnection connection;
    private final int other;
    private final OutgoingMessages outgoing;
    private final Mailbox incoming;
    private final StateExchange states = new StateExchange();
    private final Thread writer;
    private final Thread reader;

    SocketLane(PeerConnection connection, int other, Duration timeout) {
        this.connection = connection;
        this.other = other;
        this.outgoing = new OutgoingMessages(other, timeout);
        this.incoming = new Mailbox(other, timeout);
        this.writer = Thread.ofVirtual().name("outpost-peer-out-" + other).unstarted(this::writeAll);
        this.reader = Thread.ofVirtual().name("outpost-peer-in-" + other).unstarted(this::readAll);
        writer.start();
        reader.start();
    }

    @Override
    public void expect(long number, long program, long bytes) {
        incoming.expect(number, program, bytes);
    }

    @Override
    public void send(PeerMessage message) throws InterruptedException {
        outgoing.put(message);
    }

    @Override
    public void awaitReady(long number) throws InterruptedException {
        incoming.awaitReady(number);
    }

    @Override
    public PeerMessage receive(long number, int step) throws InterruptedException {
        return incoming.take(number, step);
    }

    @Override
    public PeerMessage takeSegment(long number) throws InterruptedException {
        return incoming.takeSegment(number);
    }

    @Override
    public Optional<Slice> state() {
        outgoing.offer(PeerMessage.askState());
        return states.latest();
    }

    @Override
    public void sendState(Supplier<byte[]> state) {
        states.announce(state);
    }

    @Override
    public void end(long number) {
        incoming.end(number);
    }

    @Override
    public void whenBroken(Consumer<String> listener) {
        incoming.whenBroken(listener);
    }

    @Override
    public void leave(String reason) {
        close(reason, false);
    }

    @Override
    public void breakUp(String reason) {
        close(reason, true);
    }

    /** Closes the connection without a message, as if this process had ended. */
    void cutOff() {
        connection.close();
    }

    private void close(String reason, boolean breaks) {
        outgoing.close(reason, breaks);
        incoming.close(reason, breaks);
        Thread.ofVirtual().name("outpost-peer-end-" + other).start(this::cut);
    }

    /** Waits for the last messages to be written, but not for a stalled member, and closes the connection. */
    private void cut() {
        awaitEnd(writer);
        connection.close();
    }

    private static void awaitEnd(Thread thread) {
        try {
            thread.join(LAST_WORDS);
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- out

    private void writeAll() {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(connection.out(), BUFFER_BYTES));
        try {
            for (PeerMessage next = outgoing.awaitNext(); next != null; next = outgoing.awaitNext()) {
                for (; next != null; next = outgoing.poll()) {
                    write(next, out);
                }
                out.flush();
            }
            byte[] reason = outgoing.closedBy().getBytes(StandardCharsets.UTF_8);
            out.writeByte(outgoing.isBroken() ? BREAK : LEAVE);
            out.writeInt(Math.min(reason.length, MAX_OF_A_TEXT));
            out.write(reason, 0, Math.min(reason.length, MAX_OF_A_TEXT));
            out.close();
        } catch (IOException | InterruptedException | RuntimeException | Error failure) {
            // The other side reads no more messages. It may have sent the reason, which this side's reader still has
            // to read.
            awaitEnd(reader);
            onBroken(failure);
        }
    }

    private void write(PeerMessage message, DataOutputStream out) throws IOException {
        switch (message.kind()) {
            case READY -> writeHead(READY, message, out);
            case ELEMENTS -> {
                if (isShared(message.elements())) {
                    writeShared(message, out);
                } else {
                    writeHead(ELEMENTS, message, out);
                    out.writeInt(message.step());
                    writeBody(message.elements(), out);
                }
            }
            case SEGMENT -> {
                writeHead(SEGMENT, message, out);
                writeBody(message.elements(), out);
            }
            case ASK_STATE -> writeHead(ASK_STATE, message, out);
            case STATE -> {
                writeHead(STATE, message, out);
                writeBody(message.elements(), out);
            }
            case FAULT -> {
                writeHead(FAULT, message, out);
                byte[] fault = message.fault().orElseThrow().toByteArray();
                out.writeInt(fault.length);
                out.write(fault);
            }
        }
    }

    private boolean isShared(Slice elements) {
        return connection.memory().isPresent() && elements.length() >= MIN_SHARED_BYTES;
    }

    /**
     * Writes elements into shared memory before their message. The message is flushed immediately, because only reading
     * makes room.
     */
    private void writeShared(PeerMessage message, DataOutputStream out) throws IOException {
        connection.memory().orElseThrow().outgoing().write(message.elements());
        writeHead(SHARED_ELEMENTS, message, out);
        out.writeInt(message.step());
        out.writeInt(message.elements().length());
        out.flush();
    }

    private static void writeBody(Slice body, DataOutputStream out) throws IOException {
        out.writeInt(body.length());
        out.write(body.array(), body.from(), body.length());
    }

    private static void writeHead(int kind, PeerMessage message, DataOutputStream out) throws IOException {
        out.writeByte(kind);
        out.writeLong(message.number());
        out.writeLong(message.program());
    }

    // ---- in

    private void readAll() {
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(connection.in(), BUFFER_BYTES));
            int kind = in.readUnsignedByte();
            while (kind != LEAVE && kind != BREAK) {
                take(read(kind, in));
                kind = in.readUnsignedByte();
            }
            incoming.close(new String(body(in, MAX_OF_A_TEXT), StandardCharsets.UTF_8), kind == BREAK);
            outgoing.close("the other side has closed the connection", kind == BREAK);
        } catch (IOException | RuntimeException | Error failure) {
            // If the other side has truncated the shared memory, a read throws an Error.
            onBroken(failure);
        }
    }

    private void take(PeerMessage message) {
        switch (message.kind()) {
            case ASK_STATE -> states.asked(state -> outgoing.put(PeerMessage.state(state)));
            case STATE -> states.onMessage(message.elements());
            case READY, ELEMENTS, FAULT, SEGMENT -> incoming.put(message);
        }
    }

    /** Closes both directions. Unsent messages are dropped. */
    private void onBroken(Throwable broken) {
        String reason = "member " + other + " is gone: the connection broke: "
                + (broken.getMessage() == null ? "it was closed by the other side" : broken.getMessage());
        incoming.close(reason, true);
        outgoing.close(reason, true);
        connection.close();
    }

    private PeerMessage read(int kind, DataInputStream in) throws IOException {
        long number = in.readLong();
        long program = in.readLong();
        return switch (kind) {
            case READY -> PeerMessage.ready(number, program);
            case ELEMENTS -> {
                int step = in.readInt();
                yield PeerMessage.elements(number, step, program, new Slice(body(in, ExchangeRun.PIECE_BYTES)));
            }
            case SHARED_ELEMENTS -> {
                int step = in.readInt();
                yield PeerMessage.elements(number, step, program, new Slice(sharedBody(in)));
            }
            case SEGMENT -> PeerMessage.segment(number, program, new Slice(body(in, SegmentBundle.MAX_BYTES)));
            case ASK_STATE -> PeerMessage.askState();
            case STATE -> PeerMessage.state(new Slice(body(in, StateExchange.MAX_BYTES)));
            case FAULT -> PeerMessage.failed(number, program, fault(body(in, MAX_OF_A_TEXT)));
            default -> throw new IOException("a message of kind " + kind);
        };
    }

    private static Fault fault(byte[] body) {
        return FaultMessages.clean(Protobuf.parse(Fault.parser(), body, "a fault of another member"));
    }

    private byte[] sharedBody(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0
                || length > ExchangeRun.PIECE_BYTES
                || connection.memory().isEmpty()) {
            throw new IOException("a message of " + length + " bytes in memory");
        }
        return connection.memory().get().incoming().read(length);
    }

    private static byte[] body(DataInputStream in, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] body = new byte[length];
        in.readFully(body);
        return body;
    }
}

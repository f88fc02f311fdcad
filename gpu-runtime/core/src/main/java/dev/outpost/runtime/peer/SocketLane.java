package dev.outpost.runtime.peer;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.types.MalformedException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A lane over a connection. A thread writes and a thread reads, so that a member that stands still holds up nobody for longer than
 * the patience of its mailboxes.
 */
final class SocketLane implements PeerLane {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int ELEMENTS = 0;
    private static final int FAULT = 1;
    private static final int CLOSE = 2;
    /** Of what is no elements. */
    private static final int MOST_OF_A_TEXT = 64 << 10;

    private final Socket socket;
    private final Mailbox outgoing;
    private final Mailbox incoming;

    SocketLane(Socket socket, int self, int other, Duration patience) {
        this.socket = socket;
        this.outgoing = new Mailbox(self, other, patience);
        this.incoming = new Mailbox(other, self, patience);
        Thread.ofVirtual().name("outpost-peer-out-" + other).start(this::writeAll);
        Thread.ofVirtual().name("outpost-peer-in-" + other).start(this::readAll);
    }

    @Override
    public void send(PeerMessage message) throws InterruptedException {
        outgoing.put(message);
    }

    @Override
    public PeerMessage receive(long bytes) throws InterruptedException {
        return incoming.take(bytes);
    }

    @Override
    public void close(String reason) {
        incoming.close(reason);
        outgoing.close(reason);
    }

    // ---- out

    private void writeAll() {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES))) {
            for (PeerMessage next = outgoing.awaitNext(); next != null; next = outgoing.awaitNext()) {
                write(next, out);
                out.flush();
            }
            byte[] reason = outgoing.closedBy().getBytes(StandardCharsets.UTF_8);
            out.writeByte(CLOSE);
            out.writeInt(Math.min(reason.length, MOST_OF_A_TEXT));
            out.write(reason, 0, Math.min(reason.length, MOST_OF_A_TEXT));
        } catch (IOException | InterruptedException broken) {
            outgoing.close("the connection broke: " + broken.getMessage());
        } finally {
            TlsPeerNetwork.closeQuietly(socket);
        }
    }

    private static void write(PeerMessage message, DataOutputStream out) throws IOException {
        byte[] body = message.elements();
        if (message.fault().isPresent()) {
            body = message.fault().get().toByteArray();
        }
        out.writeByte(message.fault().isPresent() ? FAULT : ELEMENTS);
        out.writeLong(message.number());
        out.writeLong(message.program());
        out.writeInt(body.length);
        out.write(body);
    }

    // ---- in

    private void readAll() {
        try {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            int kind = in.readUnsignedByte();
            while (kind != CLOSE) {
                incoming.put(read(kind, in));
                kind = in.readUnsignedByte();
            }
            incoming.close(new String(body(in, MOST_OF_A_TEXT), StandardCharsets.UTF_8));
        } catch (IOException | InterruptedException | MalformedException | PeerLostException broken) {
            incoming.close("the connection broke: "
                    + (broken.getMessage() == null ? "it was closed by the other side" : broken.getMessage()));
        } finally {
            // What is still to be sent goes nowhere.
            outgoing.close("the connection is closed");
        }
    }

    private PeerMessage read(int kind, DataInputStream in) throws IOException, InterruptedException {
        long number = in.readLong();
        long program = in.readLong();
        return switch (kind) {
            case ELEMENTS -> PeerMessage.of(number, program, elements(in));
            case FAULT -> PeerMessage.failed(number, program, fault(body(in, MOST_OF_A_TEXT)));
            default -> throw new IOException("a message of kind " + kind);
        };
    }

    /** The length is what the other member says, so room for it is only made within what is expected here. */
    private byte[] elements(DataInputStream in) throws IOException, InterruptedException {
        int length = in.readInt();
        if (length < 0) {
            throw new IOException("a message of " + length + " bytes");
        }
        incoming.awaitRoom(length);
        return whole(in, length);
    }

    private static Fault fault(byte[] body) {
        return FaultMessages.clean(Protobuf.parse(Fault.parser(), body, "a fault of another member"));
    }

    private static byte[] body(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a message of " + length + " bytes");
        }
        return whole(in, length);
    }

    private static byte[] whole(DataInputStream in, int length) throws IOException {
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("it ended within a message");
        }
        return body;
    }
}

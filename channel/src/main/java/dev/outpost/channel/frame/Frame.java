package dev.outpost.channel.frame;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.types.MalformedException;
import java.util.Arrays;

/**
 * A frame between the two sides of a connection. Every frame begins with the protocol's major version and a kind. Each
 * {@link Lane} numbers its data frames 1, 2, 3, … in either direction.
 */
public sealed interface Frame {
    /** The maximum number of bytes of a frame besides its payload. */
    int HEAD_BYTES = 32;

    /** The maximum number of bytes of a frame; larger frames are refused before they are read. */
    int MAX_BYTES = 8 << 20;

    /** The maximum number of bytes of a frame that begins a connection. */
    int MAX_HELLO_BYTES = 4 << 10;

    /** The kind byte of a {@link Data} frame, after the version. */
    int DATA = 1;

    /** The kind byte of an {@link Ack} frame, after the version. */
    int ACK = 2;

    /** The kind byte of a {@link Connection} frame, after the version. */
    int CONNECTION = 3;

    /** The kind byte of a {@link Packed} frame, after the version. */
    int PACKED = 4;

    /** The beginning or the end of a connection. */
    record Connection(ConnectionMessage message) implements Frame {
        public static Connection of(Hello hello) {
            return new Connection(ConnectionMessage.newBuilder().setHello(hello).build());
        }

        public static Connection of(Welcome welcome) {
            return new Connection(
                    ConnectionMessage.newBuilder().setWelcome(welcome).build());
        }

        public static Connection of(End end) {
            return new Connection(ConnectionMessage.newBuilder().setEnd(end).build());
        }
    }

    /**
     * Messages, delivered in order and exactly once.
     *
     * @param lane the lane
     * @param number this frame's number on the lane
     * @param acknowledged the last frame of the other direction that this side has
     * @param payload the messages
     */
    record Data(Lane lane, long number, long acknowledged, Bytes payload) implements Frame {
        public Data(Lane lane, long number, long acknowledged, byte[] payload) {
            this(lane, number, acknowledged, new Slice(payload));
        }
    }

    /**
     * A {@link Data} frame with a compressed body (see {@link BulkCompression}). Exists since minor version 1, if {@code PACKED_BULK}
     * was agreed on.
     *
     * @param head the payload up to its body
     * @param elementBytes the size of one element of the body, in bytes
     * @param bodyBytes the size of the unpacked body, in bytes
     * @param body the packed body
     */
    record Packed(Lane lane, long number, long acknowledged, byte[] head, int elementBytes, int bodyBytes, Bytes body)
            implements Frame {
        public Packed {
            BulkCompression.requireModest(body.length(), bodyBytes, elementBytes);
        }

        /** Unpacks the frame. Throws MalformedException if that is not possible. */
        public Data unpack() {
            byte[] payload = Arrays.copyOf(head, head.length + bodyBytes);
            BulkCompression.unpack(body, elementBytes, payload, head.length, bodyBytes);
            return new Data(lane, number, acknowledged, payload);
        }

        private void write(ByteWriter out) {
            out.u8(PACKED);
            out.u8(lane.number());
            out.varint(number);
            out.varint(acknowledged);
            out.block(head);
            out.u8(elementBytes);
            out.varint(bodyBytes);
            out.varint(body.length());
            out.bytes(body);
        }

        private static Packed read(ByteReader in) {
            return new Packed(
                    Lane.ofNumber(in.u8()),
                    Frame.number(in),
                    Frame.number(in),
                    in.block(),
                    in.u8(),
                    in.smallInt("body length"),
                    in.slice());
        }
    }

    /** An acknowledgement without data. It is also a sign of life. */
    record Ack(Lane lane, long acknowledged) implements Frame {}

    default byte[] encode() {
        ByteWriter out = new ByteWriter(sizeHint());
        out.u8(ProtocolVersions.MAJOR);
        switch (this) {
            case Data data -> {
                writeDataHead(data.lane, data.number, data.acknowledged, data.payload.length(), out);
                out.bytes(data.payload);
            }
            case Packed packed -> packed.write(out);
            case Ack ack -> {
                out.u8(ACK);
                out.u8(ack.lane.number());
                out.varint(ack.acknowledged);
            }
            case Connection connection -> {
                out.u8(CONNECTION);
                out.block(connection.message.toByteArray());
            }
        }
        return out.toByteArray();
    }

    private int sizeHint() {
        return switch (this) {
            case Data data -> data.payload.length() + HEAD_BYTES;
            case Packed packed -> packed.head.length + packed.body.length() + 2 * HEAD_BYTES;
            case Ack ack -> HEAD_BYTES;
            case Connection connection -> connection.message.getSerializedSize() + HEAD_BYTES;
        };
    }

    /** Returns the beginning of a {@link Data} frame, up to the payload's head. The payload's body follows it. */
    static byte[] dataHead(Lane lane, long number, long acknowledged, Payload payload) {
        ByteWriter out = new ByteWriter(payload.head().length + HEAD_BYTES);
        out.u8(ProtocolVersions.MAJOR);
        writeDataHead(lane, number, acknowledged, payload.length(), out);
        out.bytes(payload.head());
        return out.toByteArray();
    }

    /** Reads one frame, like {@link #decode(Bytes)}. */
    static Frame decode(byte[] bytes) {
        return decode(new Slice(bytes));
    }

    /** Reads one frame without copying its payload. Throws {@link MalformedException} for bytes that are not a frame. */
    static Frame decode(Bytes bytes) {
        if (bytes.length() > MAX_BYTES) {
            throw new MalformedException("a frame of " + bytes.length() + " bytes is over " + MAX_BYTES);
        }
        ByteReader in = new ByteReader(bytes);
        requireVersion(in);
        Frame frame = readBody(in.u8(), in);
        in.expectEnd("frame");
        return frame;
    }

    /** Throws MalformedException for a frame that cannot begin a connection. Reads only its kind and its length. */
    static void requireHello(Bytes bytes) {
        ByteReader in = new ByteReader(bytes);
        requireVersion(in);
        if (in.u8() != CONNECTION) {
            throw new MalformedException("the first frame of a connection must be a hello");
        }
        if (bytes.length() > MAX_HELLO_BYTES) {
            throw new MalformedException("a hello of " + bytes.length() + " bytes is over " + MAX_HELLO_BYTES);
        }
    }

    private static void requireVersion(ByteReader in) {
        int version = in.u8();
        if (version != ProtocolVersions.MAJOR) {
            throw new MalformedException(
                    "the frame is of protocol version " + version + ", this side speaks " + ProtocolVersions.CURRENT);
        }
    }

    private static Frame readBody(int kind, ByteReader in) {
        return switch (kind) {
            case DATA -> new Data(Lane.ofNumber(in.u8()), number(in), number(in), in.slice());
            case ACK -> new Ack(Lane.ofNumber(in.u8()), number(in));
            case PACKED -> Packed.read(in);
            case CONNECTION -> new Connection(ConnectionMessages.read(in.block()));
            default -> throw new MalformedException("frame kind " + kind + " is unknown");
        };
    }

    private static long number(ByteReader in) {
        long number = in.varint();
        if (number < 0) {
            throw new MalformedException("a frame number is out of range: " + Long.toUnsignedString(number));
        }
        return number;
    }

    private static void writeDataHead(Lane lane, long number, long acknowledged, int length, ByteWriter out) {
        out.u8(DATA);
        out.u8(lane.number());
        out.varint(number);
        out.varint(acknowledged);
        out.varint(length);
    }
}

package dev.outpost.channel.frame;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.fault.PeerText;
import dev.outpost.protocol.message.Fault;
import java.util.UUID;

/**
 * What one frame says. Every frame begins with the protocol's version and a kind. Each {@link Lane}
 * numbers its data frames 1, 2, 3, … in either direction.
 */
public sealed interface Frame {
    /** Both sides must speak the same one. */
    int VERSION = 7;

    /** What is read of a device's name. */
    int MOST_OF_A_NAME = 256;

    /** What a frame takes besides its payload, at most. */
    int HEAD_BYTES = 32;

    /** Larger frames are refused before they are read. */
    int MAX_BYTES = 8 << 20;

    /** The kind of a {@link Hello}. */
    int HELLO = 3;

    /**
     * The client's first frame on a new connection. Who may connect has been decided before it is read.
     *
     * @param session the session's name, drawn by the client; whoever knows it can resume the session
     * @param resume whether the session exists already
     * @param received per lane, the last data frame that the client has
     */
    record Hello(UUID session, boolean resume, long[] received) implements Frame {}

    /**
     * The runtime's answer.
     *
     * @param received per lane, the last data frame that the runtime has
     * @param leaseMillis how long a session outlives its last connection
     * @param quotaBytes what the session's values may take
     * @param device what computes, for people
     */
    record Welcome(long[] received, long leaseMillis, long quotaBytes, String device) implements Frame {}

    /**
     * The session is over, or never began; nothing follows.
     *
     * @param fault why
     * @param cause what that means for what the client does next
     */
    record End(Fault fault, Cause cause) implements Frame {
        /** Whether the end was agreed upon. The order is the wire's. */
        public enum Cause {
            /** Something failed, or somebody ended it. */
            FAILED,

            /** The machine was not used for as long as had been agreed. */
            IDLE;

            private static final Cause[] BY_CODE = values();

            static Cause ofCode(int code) {
                if (code >= BY_CODE.length) {
                    throw new MalformedException("the cause " + code + " of an end is unknown");
                }
                return BY_CODE[code];
            }
        }

        /** An end that nobody agreed to. */
        public End(Fault fault) {
            this(fault, Cause.FAILED);
        }
    }

    /**
     * Messages, in order and exactly once.
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

    /** An acknowledgement alone; also a sign of life. */
    record Ack(Lane lane, long acknowledged) implements Frame {}

    default byte[] encode() {
        ByteWriter out =
                new ByteWriter(this instanceof Data data ? data.payload.length() + HEAD_BYTES : 2 * HEAD_BYTES);
        out.u8(VERSION);
        switch (this) {
            case Data data -> {
                writeDataHead(data.lane, data.number, data.acknowledged, data.payload.length(), out);
                out.bytes(data.payload);
            }
            case Ack ack -> {
                out.u8(2);
                out.u8(ack.lane.number());
                out.varint(ack.acknowledged);
            }
            case Hello hello -> writeHello(hello, out);
            case Welcome welcome -> writeWelcome(welcome, out);
            case End end -> {
                out.u8(5);
                end.fault.write(out);
                out.u8(end.cause.ordinal());
            }
        }
        return out.toByteArray();
    }

    /** The beginning of a {@link Data} frame, up to the payload's head; the payload's body follows it. */
    static byte[] dataHead(Lane lane, long number, long acknowledged, Payload payload) {
        ByteWriter out = new ByteWriter(payload.head().length + HEAD_BYTES);
        out.u8(VERSION);
        writeDataHead(lane, number, acknowledged, payload.length(), out);
        out.bytes(payload.head());
        return out.toByteArray();
    }

    /** As {@link #decode(Bytes)}. */
    static Frame decode(byte[] bytes) {
        return decode(new Slice(bytes));
    }

    /** Reads one frame, whose payload stays where it is; anything else is a {@link MalformedException}. */
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

    /** Fails for any frame that cannot begin a connection, of which nothing but its kind is read. */
    static void requireHello(Bytes bytes) {
        ByteReader in = new ByteReader(bytes);
        requireVersion(in);
        if (in.u8() != HELLO) {
            throw new MalformedException("the first frame of a connection must be a hello");
        }
    }

    private static void requireVersion(ByteReader in) {
        int version = in.u8();
        if (version != VERSION) {
            throw new MalformedException(
                    "the frame is of protocol version " + version + ", this side speaks " + VERSION);
        }
    }

    private static Frame readBody(int kind, ByteReader in) {
        return switch (kind) {
            case 1 -> new Data(Lane.ofNumber(in.u8()), number(in), number(in), in.slice());
            case 2 -> new Ack(Lane.ofNumber(in.u8()), number(in));
            case HELLO -> new Hello(new UUID(in.fixed64(), in.fixed64()), in.u8() != 0, received(in));
            case 4 -> new Welcome(received(in), number(in), number(in), PeerText.clean(in.string(), MOST_OF_A_NAME));
            case 5 -> new End(Fault.read(in), End.Cause.ofCode(in.u8()));
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

    private static long[] received(ByteReader in) {
        return Lane.ALL.stream().mapToLong(lane -> number(in)).toArray();
    }

    private static void writeDataHead(Lane lane, long number, long acknowledged, int length, ByteWriter out) {
        out.u8(1);
        out.u8(lane.number());
        out.varint(number);
        out.varint(acknowledged);
        out.varint(length);
    }

    private static void writeHello(Hello hello, ByteWriter out) {
        out.u8(HELLO);
        out.fixed64(hello.session.getMostSignificantBits());
        out.fixed64(hello.session.getLeastSignificantBits());
        out.u8(hello.resume ? 1 : 0);
        writeReceived(hello.received, out);
    }

    private static void writeWelcome(Welcome welcome, ByteWriter out) {
        out.u8(4);
        writeReceived(welcome.received, out);
        out.varint(welcome.leaseMillis);
        out.varint(welcome.quotaBytes);
        out.string(welcome.device);
    }

    private static void writeReceived(long[] received, ByteWriter out) {
        for (Lane lane : Lane.ALL) {
            out.varint(received[lane.number()]);
        }
    }
}

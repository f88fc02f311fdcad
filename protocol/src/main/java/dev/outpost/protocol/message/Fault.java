package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.FaultKind;

/**
 * A failure on the machine, on its way home.
 *
 * @param kind who can do something about it
 * @param op the op that failed, or an empty string when no op is to blame
 * @param message what happened, op first, with operands' dtypes and shapes and, for memory, the sizes asked and free
 * @param source the line of the user's program that recorded the op, or an empty string when traces are off
 * @param number by which a session tells its faults apart, from 1; 0 for one that is no session's
 */
public record Fault(FaultKind kind, String op, String message, String source, long number) {
    /** What is read of a fault; whoever says more is cut short. */
    private static final int MOST_OF_A_TEXT = 16 << 10;

    private static final int MOST_OF_A_NAME = 256;

    public Fault(FaultKind kind, String op, String message, String source) {
        this(kind, op, message, source, 0);
    }

    public static Fault of(FaultKind kind, String message) {
        return new Fault(kind, "", message, "");
    }

    public void write(ByteWriter out) {
        out.varint(kind.code());
        out.string(op);
        out.string(message);
        out.string(source);
        out.varint(number);
    }

    public static Fault read(ByteReader in) {
        return new Fault(
                FaultKind.ofCode(in.smallInt("fault kind")),
                PeerText.clean(in.string(), MOST_OF_A_NAME),
                PeerText.clean(in.string(), MOST_OF_A_TEXT),
                PeerText.clean(in.string(), MOST_OF_A_TEXT),
                in.varint());
    }
}

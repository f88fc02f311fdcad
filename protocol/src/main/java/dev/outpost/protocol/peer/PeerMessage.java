package dev.outpost.protocol.peer;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.SegmentBundle;
import java.util.Optional;

/**
 * A message of one member to another member: part of an exchange, or a segment that is passed on.
 *
 * @param kind decides which of the other components are set
 * @param number the number of the exchange or of the segment
 * @param step the step of the exchange that the elements belong to; 0 without elements
 * @param program a hash of the program that the sender runs
 * @param fault the reason why the sender has no elements; only in {@link Kind#FAULT}
 * @param elements little-endian and never changed; only in {@link Kind#ELEMENTS}, and in {@link Kind#SEGMENT} the bytes of a {@link
 *     SegmentBundle}, in {@link Kind#STATE} those of a snapshot
 */
public record PeerMessage(Kind kind, long number, int step, long program, Optional<Fault> fault, Slice elements) {
    /** The kinds of message. Each has a code on the wire. */
    public enum Kind {
        /** The sender has begun the exchange and can receive all of its bytes. */
        READY,
        /** Elements of a step. */
        ELEMENTS,
        /** The sender has failed and sends no elements in any step. */
        FAULT,
        /** A segment for the receiver, and for members to which the receiver passes it on. */
        SEGMENT,
        /** The sender asks for the receiver's state. */
        ASK_STATE,
        /** The sender's state. */
        STATE
    }

    public static PeerMessage ready(long number, long program) {
        return new PeerMessage(Kind.READY, number, 0, program, Optional.empty(), Slice.EMPTY);
    }

    public static PeerMessage elements(long number, int step, long program, Slice elements) {
        return new PeerMessage(Kind.ELEMENTS, number, step, program, Optional.empty(), elements);
    }

    public static PeerMessage segment(long number, long program, Slice bundle) {
        return new PeerMessage(Kind.SEGMENT, number, 0, program, Optional.empty(), bundle);
    }

    public static PeerMessage segment(SegmentBundle bundle) {
        ByteWriter out = new ByteWriter();
        bundle.write(out);
        return segment(bundle.number(), bundle.program(), new Slice(out.toByteArray()));
    }

    public static PeerMessage askState() {
        return new PeerMessage(Kind.ASK_STATE, 0, 0, 0, Optional.empty(), Slice.EMPTY);
    }

    public static PeerMessage state(Slice snapshot) {
        return new PeerMessage(Kind.STATE, 0, 0, 0, Optional.empty(), snapshot);
    }

    public static PeerMessage failed(long number, long program, Fault fault) {
        return new PeerMessage(Kind.FAULT, number, 0, program, Optional.of(fault), Slice.EMPTY);
    }
}

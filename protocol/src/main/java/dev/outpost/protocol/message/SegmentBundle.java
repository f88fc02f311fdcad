package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.ByteDelta;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.List;

/**
 * One segment for several members of a group. The first member keeps its part, and passes on the parts of the others.
 *
 * @param number the number of the segment, unique in its group
 * @param program a hash of the recorded program, before it was rewritten for the members
 * @param base the message of one member
 * @param parts the members' messages, as differences from the base; the first one is that of the member that holds the bundle
 */
public record SegmentBundle(long number, long program, Slice base, List<Part> parts) {
    /** The maximum number of bytes of a bundle, and of each member's message, so that it fits into one payload. */
    public static final int MAX_BYTES = 4 << 20;

    /** A member, and the difference of its message from the base. */
    public record Part(int member, Slice change) {}

    public SegmentBundle {
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > Collective.MAX_MEMBERS) {
            throw new MalformedException(
                    "a segment is passed on to " + parts.size() + " members, expected 1 to " + Collective.MAX_MEMBERS);
        }
    }

    /** Makes a bundle of the members' messages. Both lists have the same order. */
    public static SegmentBundle of(long number, long program, List<Integer> members, List<byte[]> messages) {
        byte[] base = messages.getFirst();
        List<Part> parts = new ArrayList<>();
        for (int place = 0; place < members.size(); place++) {
            parts.add(new Part(members.get(place), new Slice(ByteDelta.between(base, messages.get(place)))));
        }
        return new SegmentBundle(number, program, new Slice(base), parts);
    }

    /** Returns the member that holds the bundle. */
    public int holder() {
        return parts.getFirst().member();
    }

    /** Returns the message for the holder. */
    public ToRuntime.SegmentMessage own() {
        byte[] message =
                ByteDelta.apply(base.toByteArray(), parts.getFirst().change().toByteArray(), MAX_BYTES);
        List<ToRuntime.SegmentMessage> read = new ArrayList<>();
        Message.decodeEach(new Slice(message), ToRuntime.SegmentMessage.class, read::add);
        if (read.size() != 1) {
            throw new MalformedException("a part of a segment has " + read.size() + " messages, expected 1");
        }
        return read.getFirst();
    }

    /**
     * Returns the bundles that the holder passes on, the largest first. They form a tree, so all members have their
     * parts after log2(members) steps.
     */
    public List<SegmentBundle> onward() {
        List<SegmentBundle> onward = new ArrayList<>();
        for (int end = parts.size(); end > 1; end = (end + 1) / 2) {
            onward.add(new SegmentBundle(number, program, base, parts.subList((end + 1) / 2, end)));
        }
        return onward;
    }

    /** Returns the approximate bytes in memory and on the wire. */
    public long bytes() {
        return base.length()
                + parts.stream()
                        .mapToLong(part -> part.change().length() + Long.BYTES)
                        .sum();
    }

    public void write(ByteWriter out) {
        out.varint(number);
        out.fixed64(program);
        writeBlock(base, out);
        out.varint(parts.size());
        for (Part part : parts) {
            out.varint(part.member());
            writeBlock(part.change(), out);
        }
    }

    private static void writeBlock(Slice bytes, ByteWriter out) {
        out.varint(bytes.length());
        out.bytes(bytes);
    }

    public static SegmentBundle read(ByteReader in) {
        long number = in.varint();
        long program = in.fixed64();
        Slice base = new Slice(in.block());
        int count = in.count("members of a segment", 2);
        List<Part> parts = new ArrayList<>();
        for (int part = 0; part < count; part++) {
            parts.add(new Part(in.smallInt("member"), new Slice(in.block())));
        }
        return new SegmentBundle(number, program, base, parts);
    }
}

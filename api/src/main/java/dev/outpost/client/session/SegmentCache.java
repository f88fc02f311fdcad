package dev.outpost.client.session;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentArguments;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.tape.Slots;
import java.util.Arrays;
import java.util.LinkedHashMap;

/**
 * The segments of this session that the machine remembers. If a segment has the same structure as a remembered one,
 * only the differences are sent. A new segment replaces the least recently sent one. Guarded by the session's lock,
 * under which messages also enter the outbox. So the machine gets each change of this table once and in the same
 * order, and remembers the same segments.
 */
final class SegmentCache {
    private final LinkedHashMap<Key, Sent> sent = new LinkedHashMap<>(16, 0.75f, true);

    /** The bytes of a structure, compared by content. */
    private record Key(byte[] structure, int hash) {
        Key(byte[] structure) {
            this(structure, Arrays.hashCode(structure));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && hash == key.hash && Arrays.equals(structure, key.structure);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private record Sent(int slot, SegmentArguments latest) {}

    /** Returns the message that makes the machine compute a segment. Send it before asking for the next message. */
    Message message(SegmentWriter segment) {
        byte[] structure = segment.structure();
        SegmentArguments now = segment.particulars();
        if (!Slots.hasRoom(segment.instructionCount(), structure.length, now)) {
            return new ToRuntime.RunSegment(Segment.write(structure, now));
        }
        Key key = new Key(structure);
        Sent before = sent.get(key);
        int slot = before == null ? emptySlot() : before.slot;
        sent.put(key, new Sent(slot, now));
        return before == null
                ? new ToRuntime.RememberSegment(slot, Segment.write(structure, now))
                : new ToRuntime.RepeatSegment(slot, now.since(before.latest));
    }

    /** Returns the number of segments that the machine remembers. */
    int size() {
        return sent.size();
    }

    private int emptySlot() {
        return sent.size() < Slots.COUNT ? sent.size() : sent.pollFirstEntry().getValue().slot;
    }
}

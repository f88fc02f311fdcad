package dev.outpost.runtime.session;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentArguments;
import dev.outpost.protocol.tape.Slots;
import dev.outpost.types.TensorType;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sends whole segments to be remembered, and repeats of them; most can be run. */
final class HostileRepeats {
    private static final int SLOTS = 4;

    /** A written segment, with the data that another run of it needs. */
    record Written(
            byte[] structure,
            SegmentArguments latest,
            List<TensorType> inputs,
            BitSet dying,
            List<TensorType> outputs) {
        byte[] bytes() {
            return Segment.write(structure, latest);
        }
    }

    private final HostileNumbers numbers;
    private final HostileBytes bytes;
    private final HostileSegments segments;
    private final Map<Integer, Written> slots = new HashMap<>();

    HostileRepeats(HostileNumbers numbers, HostileBytes bytes, HostileSegments segments) {
        this.numbers = numbers;
        this.bytes = bytes;
        this.segments = segments;
    }

    Message orderly() {
        Written known = numbers.oneIn(2) ? slots.get(numbers.below(SLOTS)) : null;
        if (known != null && segments.has(known.inputs())) {
            return repeat(known);
        }
        int uploads = segments.uploads().size();
        Written next = segments.next();
        int slot = numbers.below(2 * SLOTS);
        // The same upload cannot be used twice.
        if (slot >= SLOTS || segments.uploads().size() > uploads) {
            return new ToRuntime.RunSegment(next.bytes());
        }
        slots.put(slot, next);
        return new ToRuntime.RememberSegment(slot, next.bytes());
    }

    /** Draws a message with an invalid or empty slot, or a damaged one. */
    Message disorderly() {
        int slot = numbers.oneIn(2) ? numbers.below(SLOTS) : numbers.below(2 * Slots.COUNT);
        return switch (numbers.below(4)) {
            case 0 -> new ToRuntime.RunSegment(bytes.damage(segments.next().bytes()));
            case 1 ->
                new ToRuntime.RememberSegment(slot, bytes.damage(segments.next().bytes()));
            case 2 -> new ToRuntime.RepeatSegment(slot, numbers.bytes(numbers.below(20)));
            default -> damagedRepeat(slot);
        };
    }

    private Message damagedRepeat(int slot) {
        return orderly() instanceof ToRuntime.RepeatSegment repeat
                ? new ToRuntime.RepeatSegment(numbers.oneIn(3) ? slot : repeat.slot(), bytes.damage(repeat.changes()))
                : new ToRuntime.RepeatSegment(slot, new byte[] {0, 0});
    }

    private Message repeat(Written known) {
        int slot = slots.entrySet().stream()
                .filter(entry -> entry.getValue() == known)
                .findAny()
                .orElseThrow()
                .getKey();
        SegmentArguments now = segments.again(known, data(known));
        slots.put(slot, new Written(known.structure(), now, known.inputs(), known.dying(), known.outputs()));
        return new ToRuntime.RepeatSegment(slot, now.since(known.latest()));
    }

    private byte[] data(Written known) {
        byte[] data = known.latest().data();
        return numbers.oneIn(8) && data.length > 0 ? bytes.damage(data) : data;
    }
}

package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.DecodedSegment;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.Slots;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.Arrays;

/**
 * Decodes segments over the session's values, and remembers those that the client wants to repeat. A repeat whose
 * inputs have the same types as the last time is not decoded again. Used by the worker thread alone, in the order of
 * the messages.
 *
 * <p>Throws a {@link MalformedException} if a message is not a segment over the session's values, because then the
 * client has a defect.
 */
final class IncomingSegments {
    private final SessionContext context;
    private final DecodedSegment[] slots = new DecodedSegment[Slots.COUNT];

    IncomingSegments(SessionContext context) {
        this.context = context;
    }

    IncomingSegment of(ToRuntime.SegmentMessage message) {
        return switch (message) {
            case ToRuntime.RunSegment run -> whole(run);
            case ToRuntime.RememberSegment remember -> remember(remember);
            case ToRuntime.RepeatSegment repeat -> repeat(repeat);
        };
    }

    private IncomingSegment whole(ToRuntime.RunSegment message) {
        return incoming(read(Segment.read(message.segment()), null));
    }

    private IncomingSegment remember(ToRuntime.RememberSegment message) {
        return put(message.slot(), Segment.read(message.segment()), null);
    }

    private IncomingSegment repeat(ToRuntime.RepeatSegment message) {
        DecodedSegment before = message.slot() < Slots.COUNT ? slots[message.slot()] : null;
        if (before == null) {
            throw new MalformedException("slot " + message.slot() + " remembers no segment");
        }
        return put(message.slot(), before.segment().next(message.changes()), before);
    }

    void clear() {
        Arrays.fill(slots, null);
    }

    private IncomingSegment put(int slot, Segment segment, DecodedSegment before) {
        if (slot >= Slots.COUNT) {
            throw refuse("slot " + slot + " is over the " + Slots.COUNT + " of a session");
        }
        if (!Slots.hasRoom(segment)) {
            throw refuse("a segment to be remembered is over " + Slots.MAX_INSTRUCTIONS + " instructions or "
                    + Slots.MAX_BYTES + " bytes");
        }
        slots[slot] = read(segment, before);
        return incoming(slots[slot]);
    }

    private static IncomingSegment incoming(DecodedSegment decoded) {
        return new IncomingSegment(decoded.segment().bindings(), decoded.graph());
    }

    private OutpostException refuse(String problem) {
        return context.runtime().limitCounters().refuse(RuntimeLimit.REMEMBERED_SEGMENTS, problem);
    }

    /**
     * Decodes a segment. The client checks every op when it records it, so a refusal here means that the client has a
     * defect.
     *
     * @param before an earlier run of the structure, or null
     */
    private DecodedSegment read(Segment segment, DecodedSegment before) {
        TensorType[] types = types(segment.inputs());
        try {
            boolean isLikeBefore = before != null && before.graph().isOver(types);
            return isLikeBefore ? before.next(segment) : segment.decode(types);
        } catch (MalformedException malformed) {
            throw malformed;
        } catch (OutpostException | ArithmeticException failure) {
            throw new MalformedException("the segment has an invalid op: " + failure.getMessage());
        }
    }

    private TensorType[] types(long[] inputs) {
        TensorType[] types = new TensorType[inputs.length];
        for (int input = 0; input < inputs.length; input++) {
            types[input] = context.values().get(inputs[input]).type();
        }
        return types;
    }
}

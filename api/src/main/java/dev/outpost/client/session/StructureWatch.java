package dev.outpost.client.session;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Slots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Detects a line of the program at which each segment has a new structure, for example because each batch has another
 * length. The machine must plan each of these segments, which costs far more than repeating a known segment. Guarded
 * by the ledger's lock.
 */
final class StructureWatch {
    /** The hint is given after this many segments of new structures in a row at one line. */
    static final int MANY = 16;

    /** Smaller segments are not counted, because planning them is cheap. */
    static final int FEW_INSTRUCTIONS = 32;

    private static final int MAX_PLACES = 64;

    private static final class Place {
        int newInARow;
    }

    private final String machine;
    private final Supplier<String> callersLine;
    private final Consumer<String> log;
    /** The places by line of the program, in order of their last use; the least recently used one is removed first. */
    private final Map<String, Place> places = new LinkedHashMap<>(16, 0.75f, true);
    /** For each slot of the machine's segment table, the line of the program at which the slot's segment ended. */
    private final Place[] ofSlots = new Place[Slots.COUNT];

    private String hint = "";

    /**
     * @param machine the machine's name in messages
     * @param callersLine returns the line of the program that is calling; empty on other threads
     * @param log receives the hint, once
     */
    StructureWatch(String machine, Supplier<String> callersLine, Consumer<String> log) {
        this.machine = machine;
        this.callersLine = callersLine;
        this.log = log;
    }

    /** Counts a segment that a thread of the program has ended. */
    void sealed(Message message, int instructions) {
        switch (message) {
            case ToRuntime.RepeatSegment repeat -> {
                Place place = ofSlots[repeat.slot()];
                if (place != null) {
                    place.newInARow = 0;
                }
            }
            case ToRuntime.RememberSegment remember ->
                ofSlots[remember.slot()] =
                        instructions < FEW_INSTRUCTIONS || !hint.isEmpty() ? null : newAt(instructions);
            default -> {
                // The machine plans a segment each time if it is too large to remember, so such a segment is not
                // counted.
            }
        }
    }

    private Place newAt(int instructions) {
        String line = callersLine.get();
        if (line.isEmpty()) {
            // The segment was not sealed by a thread of the program: for example, its thread has ended.
            return null;
        }
        Place place = places.computeIfAbsent(line, each -> new Place());
        if (places.size() > MAX_PLACES) {
            places.remove(places.keySet().iterator().next());
        }
        place.newInARow++;
        if (place.newInARow == MANY) {
            hint = machine + ": the last " + MANY + " segments that ended at " + line
                    + " had structures that were all new (the"
                    + " last one has " + instructions
                    + " instructions), so the machine planned each anew instead of repeating"
                    + " one. Where lengths vary, pad them to a few sizes; see \"Variable lengths\" in docs/programs.md";
            log.accept(hint);
            places.clear();
        }
        return place;
    }

    /** Returns advice for the user; empty for none. */
    String hint() {
        return hint;
    }
}

package dev.outpost.client;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Slots;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Notices a place in the program where one segment after the other has a structure of its own, as where each batch has another
 * length. The machine plans each of them anew, which costs far more than to repeat one. Guarded by the ledger's lock.
 */
final class StructureWatch {
    /** As many segments of new structures in a row at one place are no accident. */
    static final int MANY = 16;

    /** A segment with fewer instructions is planned in no time. */
    static final int FEW_INSTRUCTIONS = 32;

    private static final int MOST_PLACES = 64;

    private static final class Place {
        int newInARow;
    }

    private final String machine;
    private final Supplier<String> callersLine;
    private final Consumer<String> log;
    /** By line of the program; the place that was met longest ago makes room. */
    private final Map<String, Place> places = new LinkedHashMap<>(16, 0.75f, true);
    /** By slot, where the segment ended that the machine remembers there. */
    private final Place[] ofSlots = new Place[Slots.COUNT];

    private String hint = "";

    /**
     * @param machine what messages call it
     * @param callersLine the line of the program that calls
     * @param log takes the hint, once
     */
    StructureWatch(String machine, Supplier<String> callersLine, Consumer<String> log) {
        this.machine = machine;
        this.callersLine = callersLine;
        this.log = log;
    }

    /** The program's thread ended a segment. */
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
                // One that is too large to be remembered is new to the machine however often it comes.
            }
        }
    }

    private Place newAt(int instructions) {
        String line = callersLine.get();
        if (line.isEmpty()) {
            // Not the program's thread, such as where a thread has ended with an open segment.
            return null;
        }
        Place place = places.computeIfAbsent(line, each -> new Place());
        if (places.size() > MOST_PLACES) {
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

    /** Advice for people; empty for none. */
    String hint() {
        return hint;
    }
}

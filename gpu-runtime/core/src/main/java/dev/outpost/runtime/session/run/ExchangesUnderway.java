package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.session.memory.Storage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The exchanges of one run that have begun and whose results nobody has needed yet, by slot. Used by the worker alone. */
final class ExchangesUnderway {
    private final Map<Integer, Begun> bySlot = new LinkedHashMap<>();

    /**
     * One of them.
     *
     * @param room where the result goes; null where there is no room for it
     * @param lost why this member gives nothing; null where it does
     * @param ran is told when it is over; null where nobody looks on
     */
    record Begun(Instruction instruction, PeerGroup.Underway exchange, Storage room, Fault lost, RanListener ran) {}

    void add(int slot, Begun begun) {
        bySlot.put(slot, begun);
    }

    /** Null where there is none. */
    Begun remove(int slot) {
        return bySlot.isEmpty() ? null : bySlot.remove(slot);
    }

    boolean isEmpty() {
        return bySlot.isEmpty();
    }

    /** In the order in which they began. */
    List<Integer> slots() {
        return List.copyOf(bySlot.keySet());
    }

    /** The run is over before they are. */
    void releaseAll() {
        for (Begun begun : bySlot.values()) {
            if (begun.room() != null) {
                begun.room().release();
            }
        }
        bySlot.clear();
    }
}

package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Command;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How calls of clusters went, since this replica started. Safe for use by many threads. */
public final class CallCounts {
    private final Map<Command, Map<Outcome, LongAdder>> counts = new EnumMap<>(Command.class);

    /** How a call went. */
    public enum Outcome {
        /** The cluster did it. */
        DONE,

        /** The cluster will not do it. */
        REFUSED,

        /** It is asked again. */
        FAILED
    }

    public CallCounts() {
        for (Command command : Command.values()) {
            Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                outcomes.put(outcome, new LongAdder());
            }
            counts.put(command, outcomes);
        }
    }

    void count(Command command, Outcome outcome) {
        counts.get(command).get(outcome).increment();
    }

    public long of(Command command, Outcome outcome) {
        return counts.get(command).get(outcome).sum();
    }
}

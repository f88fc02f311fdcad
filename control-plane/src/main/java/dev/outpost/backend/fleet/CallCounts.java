package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Command;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of calls to clusters since this replica started. Thread-safe. */
public final class CallCounts {
    private final Map<Command, Map<Outcome, LongAdder>> counts = new EnumMap<>(Command.class);

    /** The outcome of a call. */
    public enum Outcome {
        /** The cluster carried out the command. */
        DONE,

        /** The cluster refused the command permanently. */
        REFUSED,

        /** The call failed and will be repeated. */
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

package dev.outpost.stats;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.support.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The time of a machine's start, or its time so far.
 *
 * @param state the state of the start: in progress, or its result
 * @param phases the phases that were entered, in their order
 * @param total the time from the request to the machine's first answer, or until now
 * @param text the present step, such as {@code pulling the image (1.2 GB)}, or the result
 */
public record Provisioning(State state, List<PhaseTime> phases, Duration total, String text) {

    /** The state of a start. */
    public enum State {
        GOING_ON,
        READY,
        FAILED
    }

    /**
     * One phase of a start.
     *
     * @param start the time between the request and the beginning of the phase
     * @param duration the duration of the phase, or its duration so far
     */
    public record PhaseTime(MachinePhase phase, Duration start, Duration duration) {
        @Override
        public String toString() {
            return phase.name().toLowerCase(Locale.ROOT) + " " + Durations.text(duration);
        }
    }

    public Provisioning {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(text, "text");
        phases = List.copyOf(phases);
    }

    /** Returns a text such as {@code ready after 41.2 s: queued 12 ms, scheduling 20.1 s, pulling 15.0 s, connecting 6.1 s}. */
    @Override
    public String toString() {
        String times = phases.stream().map(PhaseTime::toString).collect(Collectors.joining(", "));
        return opening() + " " + Durations.text(total) + (times.isEmpty() ? "" : ": " + times);
    }

    private String opening() {
        return switch (state) {
            case GOING_ON -> text.isEmpty() ? "starting for" : text + ", starting for";
            case READY -> "ready after";
            case FAILED -> "failed after";
        };
    }
}

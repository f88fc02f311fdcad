package dev.outpost.stats;

import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.support.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How long the start of a machine took, or has taken so far.
 *
 * @param state whether it is over, and how it ended
 * @param phases those that were entered, in their order
 * @param total from asking for the machine to its first answer, or to now
 * @param text what is being done, such as {@code pulling the image (1.2 GB)}, or what came of it
 */
public record Provisioning(State state, List<PhaseTime> phases, Duration total, String text) {

    /** Where a start stands. */
    public enum State {
        GOING_ON,
        READY,
        FAILED
    }

    /**
     * One phase of a start.
     *
     * @param start when it was entered, since the machine was asked for
     * @param duration how long it took, or has taken so far
     */
    public record PhaseTime(Phase phase, Duration start, Duration duration) {
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

    /** Such as {@code ready after 41.2 s: queued 12 ms, scheduling 20.1 s, pulling 15.0 s, connecting 6.1 s}. */
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

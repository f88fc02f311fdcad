package dev.outpost.provider.fleet;

import dev.outpost.provider.MachinePhase;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The observation of one machine by a fleet.
 *
 * @param machine the reference to the machine
 * @param gpu the kind of GPU that was requested
 * @param state its state
 * @param reason a sentence about its state for people, such as the reason why it waits or has ended. The text may
 *     contain output of the machine, so control characters are replaced by spaces, and it is truncated to 2,000
 *     characters
 * @param endCause the cause of its end; set if and only if the state is {@link MachinePhase#ENDED}
 * @param address its address; set if the state is {@link MachinePhase#READY}, and possibly in later states
 * @param created the time of its creation, by the supplier's clock
 * @param since the time at which it entered this state, by the supplier's clock, as far as the supplier knows
 * @param labels the labels of the {@link DesiredMachine}
 */
public record MachineObservation(
        MachineRef machine,
        String gpu,
        MachinePhase state,
        String reason,
        Optional<EndCause> endCause,
        Optional<MachineAddress> address,
        Instant created,
        Instant since,
        Map<String, String> labels) {

    private static final int LONGEST_REASON = 2_000;

    /** The reason why a machine ended, for its user. */
    public enum EndCause {
        /** No instruction arrived for the agreed time. */
        IDLE,

        /** No message of a client arrived for the agreed time. */
        UNUSED,

        /** Its agreed lifetime has ended. */
        EXPIRED,

        /** It was stopped. */
        STOPPED,

        /** It failed, never started, or was taken away. */
        FAILED
    }

    public MachineObservation {
        Objects.requireNonNull(machine, "machine");
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(state, "state");
        reason = printable(reason);
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(since, "since");
        labels = Map.copyOf(labels);
        if (endCause.isPresent() != (state == MachinePhase.ENDED)) {
            throw new IllegalArgumentException("endCause: belongs to ENDED, got " + endCause + " with " + state);
        }
        if (state == MachinePhase.READY && address.isEmpty()) {
            throw new IllegalArgumentException("address: " + machine + " is READY and has none");
        }
    }

    private static String printable(String text) {
        String cut = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "..." : text;
        return cut.replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", " ");
    }

    /** Returns true if it may compute, now or later. */
    public boolean isLive() {
        return state.compareTo(MachinePhase.ENDED) < 0;
    }
}

package dev.outpost.provider.process.state;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;
import java.util.Optional;

/**
 * The status of a machine.
 *
 * @param reason a sentence for a person
 * @param since the time at which it entered this state
 * @param endCause the cause of its end, if it has ended
 * @param address its address, if it has announced one
 */
public record MachineStatus(
        MachinePhase state,
        String reason,
        Instant since,
        Optional<EndCause> endCause,
        Optional<MachineAddress> address) {

    static MachineStatus coming(String reason, Instant since) {
        return new MachineStatus(MachinePhase.STARTING, reason, since, Optional.empty(), Optional.empty());
    }

    static MachineStatus ended(ExitState exitState) {
        return new MachineStatus(
                MachinePhase.ENDED,
                exitState.reason(),
                exitState.at(),
                Optional.of(exitState.cause()),
                Optional.empty());
    }

    public boolean hasEnded() {
        return state == MachinePhase.ENDED;
    }
}

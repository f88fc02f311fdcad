package dev.outpost.provider.process.state;

import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineObservation.State;
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
        State state, String reason, Instant since, Optional<EndCause> endCause, Optional<MachineAddress> address) {

    static MachineStatus coming(String reason, Instant since) {
        return new MachineStatus(State.STARTING, reason, since, Optional.empty(), Optional.empty());
    }

    static MachineStatus ended(ExitState exitState) {
        return new MachineStatus(
                State.ENDED, exitState.reason(), exitState.at(), Optional.of(exitState.cause()), Optional.empty());
    }

    public boolean hasEnded() {
        return state == State.ENDED;
    }
}

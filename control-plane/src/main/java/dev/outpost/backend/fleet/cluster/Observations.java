package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;

/** Translates observations of a fleet into observations for the state machine of a machine. */
public final class Observations {
    private Observations() {}

    /** Translates the answer to a call about the machine. */
    public static Observation of(MachineObservation observation) {
        return of(observation, Optional.empty());
    }

    /** Translates an observation of a list of the cluster, or of a watch that continues from such a list. */
    public static Observation of(MachineObservation observation, ClusterRows.Look look) {
        return of(observation, Optional.of(until(observation.since(), look)));
    }

    /**
     * Limits a reported end to the time between the last observation, in which the machine existed, and this one, because the supplier's
     * clock may be wrong.
     */
    private static Instant until(Instant since, ClusterRows.Look look) {
        Instant notBefore = look.last().filter(since::isBefore).orElse(since);
        return notBefore.isBefore(look.at()) ? notBefore : look.at();
    }

    private static Observation of(MachineObservation observation, Optional<Instant> until) {
        int epoch = observation.machine().epoch();
        return switch (observation.state()) {
            case QUEUED, SCHEDULING -> new Observation.Starting(epoch, Phase.NODE, observation.reason());
            case PULLING -> new Observation.Starting(epoch, Phase.IMAGE, observation.reason());
            case STARTING, CONNECTING -> new Observation.Starting(epoch, Phase.BOOT, observation.reason());
            case READY ->
                new Observation.Serving(epoch, address(observation.address().orElseThrow()));
            case UNREACHABLE -> new Observation.Unreachable(epoch, observation.reason(), until);
            case ENDING -> new Observation.Stopping(epoch, observation.reason());
            case ENDED ->
                new Observation.Stopped(
                        epoch, reason(observation.endCause().orElseThrow()), observation.reason(), until);
            case GONE -> new Observation.Missing(epoch, until);
        };
    }

    private static Machine.Address address(MachineAddress address) {
        return new Machine.Address(
                address.host(), address.port(), address.certificate().sha256());
    }

    private static EndReason reason(EndCause cause) {
        return switch (cause) {
            case IDLE -> EndReason.IDLE;
            case UNUSED -> EndReason.UNUSED;
            case EXPIRED -> EndReason.EXPIRED;
            case STOPPED, FAILED -> EndReason.FAILED;
        };
    }
}

package dev.outpost.backend.fleet;

import dev.outpost.backend.model.EndReason;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Observation;
import dev.outpost.backend.model.Phase;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;

/** Translates the observations of a fleet into those of a machine's life. */
final class Observations {
    private Observations() {}

    static Observation of(MachineObservation seen) {
        int epoch = seen.machine().epoch();
        return switch (seen.state()) {
            case QUEUED, SCHEDULING -> new Observation.Starting(epoch, Phase.NODE, seen.reason());
            case PULLING -> new Observation.Starting(epoch, Phase.IMAGE, seen.reason());
            case STARTING -> new Observation.Starting(epoch, Phase.BOOT, seen.reason());
            case READY -> new Observation.Serving(epoch, address(seen.address().orElseThrow()));
            case UNREACHABLE -> new Observation.Unreachable(epoch, seen.reason());
            case ENDING -> new Observation.Stopping(epoch, seen.reason());
            case ENDED -> new Observation.Stopped(epoch, reason(seen.endCause().orElseThrow()), seen.reason());
            case GONE -> new Observation.Missing(epoch);
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

package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.api.Fault;
import java.time.Duration;
import java.util.Optional;

/** A disturbance of a machine at one of its steps. */
enum Disturbance {
    SERVER_AWAY("API server gone", "its connections break and it takes no new ones, then it is back"),
    WATCHES_CLOSED("watch closed", "the watches end; where there are none yet, the first ones break"),
    HISTORY_EXPIRED(
            "410",
            "the watches end with an error, and what they would go on from is forgotten; where there are"
                    + " none yet, the first ones are refused"),
    CONFLICT("409", "the next request is refused as a conflict, twice"),
    THROTTLED("429", "the next request is refused with \"come back in a second\", and refused again then"),
    SERVER_ERROR("500", "the next request fails inside the server, twice"),
    POD_DELETED("pod deleted", "somebody deletes the pod"),
    POD_KILLED("pod killed", "the runtime's process gets a SIGKILL"),
    CLIENT_KILLED("client killed", "the program's process gets a SIGKILL"),
    CLOCK_AHEAD("clock a minute ahead", "the cluster's clock jumps ahead of the client's"),
    CLOCK_BEHIND("clock a minute behind", "the cluster's clock jumps behind the client's");

    private static final int TIMES = 2;

    private final String title;
    private final String meaning;

    Disturbance(String title, String meaning) {
        this.title = title;
        this.meaning = meaning;
    }

    String title() {
        return title;
    }

    String meaning() {
        return meaning;
    }

    /** The answer that it consists of, if it is one to the next request of that step. */
    Optional<Fault> answer(MachineStep step) {
        return refusal().map(fault -> fault.on(step.verb(), step.resource()).times(TIMES));
    }

    private Optional<Fault> refusal() {
        return switch (this) {
            case CONFLICT -> Optional.of(Fault.conflict());
            case THROTTLED -> Optional.of(Fault.tooManyRequests(Duration.ofSeconds(1)));
            case SERVER_ERROR -> Optional.of(Fault.internalError());
            default -> Optional.empty();
        };
    }
}

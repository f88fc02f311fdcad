package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.api.Fault;
import java.time.Duration;
import java.util.Optional;

/** A disturbance of a machine at one of its steps. */
enum Disturbance {
    SERVER_AWAY("API server gone", "its connections break, and it accepts no new connections for some time"),
    WATCHES_CLOSED("watch closed", "the open watches end; if no watch is open yet, the first watches break"),
    HISTORY_EXPIRED(
            "410",
            "the watches end with an error, because the server has forgotten the version from which they would"
                    + " continue; if none is open yet, the first ones are refused"),
    CONFLICT("409", "the server refuses the next two requests with a conflict"),
    THROTTLED("429", "the server refuses the next two requests and asks the client to retry after a second"),
    SERVER_ERROR("500", "the next two requests fail inside the server"),
    POD_DELETED("pod deleted", "a user deletes the pod"),
    POD_KILLED("pod killed", "the runtime's process gets a SIGKILL"),
    CLIENT_KILLED("client killed", "the program's process gets a SIGKILL"),
    CLOCK_AHEAD("clock a minute ahead", "the cluster's clock jumps ahead of the client's clock"),
    CLOCK_BEHIND("clock a minute behind", "the cluster's clock jumps behind the client's clock");

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

    /** The faulty answer to the next request of that step, if the disturbance is one. */
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

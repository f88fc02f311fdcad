package dev.outpost.provider.fleet;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/**
 * The runner of a job, which a supplier starts once, beside a machine and with it. The runner asks the control plane for the
 * program and for all that it needs, and ends when the machine does.
 *
 * @param controlPlane where the runner asks
 * @param token what the runner bears: a secret, never on a command line
 * @param authority a file on the machine's host with the certificates in PEM of those who may have issued the control plane's
 */
public record JobRun(URI controlPlane, String token, Optional<String> authority) {
    /** The variables by which a runner is told. */
    public static final String ADDRESS_VARIABLE = "OUTPOST_RUNNER_API";

    public static final String TOKEN_VARIABLE = "OUTPOST_RUNNER_TOKEN";
    public static final String AUTHORITY_VARIABLE = "OUTPOST_RUNNER_CA";

    /** The class that is the runner, in the jar of the runtime. */
    public static final String MAIN_CLASS = "dev.outpost.runtime.server.job.JobRunner";

    public JobRun {
        Objects.requireNonNull(controlPlane, "controlPlane");
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(authority, "authority");
    }

    @Override
    public String toString() {
        return "JobRun[" + controlPlane + ", hidden]";
    }
}

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
 * @param authority the certificates, in PEM, of the authorities that may have issued the control plane's certificate; those of the
 *     runner's JDK where it is empty
 */
public record JobRun(URI controlPlane, String token, Optional<String> authority) {
    /** The variables by which a runner is told. */
    public static final String ADDRESS_VARIABLE = "OUTPOST_RUNNER_API";

    public static final String TOKEN_VARIABLE = "OUTPOST_RUNNER_TOKEN";
    /** The variable that names the file with the authority. */
    public static final String AUTHORITY_VARIABLE = "OUTPOST_RUNNER_CA";

    /** The lines that a runner prints of itself begin with this text. */
    public static final String LOG_PREFIX = "job: ";

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

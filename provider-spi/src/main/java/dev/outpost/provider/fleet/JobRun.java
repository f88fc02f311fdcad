package dev.outpost.provider.fleet;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/**
 * The runner of a job. A supplier starts it once, together with a machine and beside its runtime. The runner gets the
 * program and its inputs from the control plane, and ends with the machine.
 *
 * @param controlPlane the address of the control plane
 * @param token the runner's secret, which never appears on a command line
 * @param authority the certificates, in PEM, of the authorities that may have issued the control plane's certificate; if empty, the
 *     authorities of the runner's JDK
 */
public record JobRun(URI controlPlane, String token, Optional<String> authority) {
    /** The variable with the address of the control plane. */
    public static final String ADDRESS_VARIABLE = "OUTPOST_RUNNER_API";

    public static final String TOKEN_VARIABLE = "OUTPOST_RUNNER_TOKEN";
    /** The variable that names the file with the authority. */
    public static final String AUTHORITY_VARIABLE = "OUTPOST_RUNNER_CA";

    /** The prefix of the lines that a runner prints about itself. */
    public static final String LOG_PREFIX = "job: ";

    /** The main class of the runner, in the jar of the runtime. */
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

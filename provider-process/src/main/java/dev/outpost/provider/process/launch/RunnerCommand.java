package dev.outpost.provider.process.launch;

import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.state.MachineFolder;
import java.util.ArrayList;
import java.util.List;

/** The command of a job's runner. It runs beside the machine and in its folder; its program is in the runtime's jar. */
public final class RunnerCommand {
    private static final String MEMORY = "-Xmx64m";

    private RunnerCommand() {}

    /** @throws IllegalArgumentException if no runtime is installed */
    public static List<String> of(ProcessConfig config) {
        MachineCommand.check(config);
        return List.of(
                config.program().java().toString(),
                MEMORY,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                config.program().jar().orElseThrow().toAbsolutePath().toString(),
                JobRun.MAIN_CLASS);
    }

    /**
     * Returns the variables of a runner, as {@code NAME=VALUE}. The runner works in the machine's folder, which
     * contains the file of the authority.
     */
    public static List<String> environment(JobRun job) {
        List<String> lines = new ArrayList<>(
                List.of(JobRun.ADDRESS_VARIABLE + "=" + job.controlPlane(), JobRun.TOKEN_VARIABLE + "=" + job.token()));
        job.authority().ifPresent(pem -> lines.add(JobRun.AUTHORITY_VARIABLE + "=" + MachineFolder.RUNNER_AUTHORITY));
        return lines;
    }
}

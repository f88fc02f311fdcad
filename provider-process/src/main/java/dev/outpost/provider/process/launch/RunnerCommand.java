package dev.outpost.provider.process.launch;

import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.state.MachineFolder;
import java.util.ArrayList;
import java.util.List;

/** The command that becomes the runner of a job, beside the machine and in its folder. The runner is in the runtime's jar. */
public final class RunnerCommand {
    private static final String MEMORY = "-Xmx64m";

    private RunnerCommand() {}

    /** @throws IllegalArgumentException where there is no runtime to run */
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

    /** Variables as {@code NAME=VALUE}. A runner works in the machine's folder, which has the file of the authority. */
    public static List<String> environment(JobRun job) {
        List<String> lines = new ArrayList<>(
                List.of(JobRun.ADDRESS_VARIABLE + "=" + job.controlPlane(), JobRun.TOKEN_VARIABLE + "=" + job.token()));
        job.authority().ifPresent(pem -> lines.add(JobRun.AUTHORITY_VARIABLE + "=" + MachineFolder.RUNNER_AUTHORITY));
        return lines;
    }
}

package dev.outpost.system.backend.job;

import dev.outpost.provider.fleet.JobRun;
import dev.outpost.simulated.kubernetes.node.ContainerStart;
import dev.outpost.simulated.kubernetes.node.InJvmRunner;
import dev.outpost.simulated.kubernetes.node.PodRunner;
import dev.outpost.simulated.kubernetes.node.ProcessRunner;
import dev.outpost.simulated.kubernetes.node.RunningContainer;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs the runtimes of pods inside this JVM, and the runners of jobs in separate processes. */
final class JobPodRunner implements PodRunner {
    private final PodRunner machines = new InJvmRunner();
    private final PodRunner jobs = new ProcessRunner(runner());

    @Override
    public RunningContainer start(ContainerStart start) throws IOException {
        return start.command().contains(JobRun.MAIN_CLASS) ? jobs.start(start) : machines.start(start);
    }

    /** The container's command, with the Java and the runtime of this host instead of those of the image. */
    private static List<String> runner() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                RuntimeCommandLine.jar().toString(),
                JobRun.MAIN_CLASS);
    }
}

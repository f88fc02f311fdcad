package dev.outpost.provider.process.launch;

import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSetting;
import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.support.Memory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command that becomes a machine. It runs in the machine's folder, so files have no more than names; no secret is in it.
 *
 * @param lease how long a session outlives its client
 * @param unused after which the machine ends when nothing was heard of any client
 * @param idle after which it ends when no instruction came
 * @param life after which it ends in any case
 * @param isGranted whether tokens are known by their hashes, in a file of grants, and not by themselves
 */
public record MachineCommand(
        Duration lease,
        Optional<Duration> unused,
        Optional<Duration> idle,
        Optional<Duration> life,
        boolean isGranted) {
    /** The rest is for threads, code and data on their way. */
    private static final double SHARE_OF_HEAP = 0.7;

    private static final int KIBI = 1024;

    /** @throws IllegalArgumentException where there is no runtime to run; the sentence says how to get one */
    public List<String> of(ProcessConfig config, DeviceChoice choice) {
        Path jar = jar(config.program());
        List<String> command = new ArrayList<>();
        command.add(config.program().java().toString());
        command.addAll(config.program().flags());
        config.program()
                .cache()
                .filter(MachineCommand::isUsable)
                .ifPresent(cache -> command.add("-XX:AOTCache=" + absolute(cache)));
        config.memory().ifPresent(memory -> command.add("-Xmx" + heap(memory) + "k"));
        command.addAll(List.of("-XX:ErrorFile=" + MachineFolder.CRASH, "-XX:-CreateCoredumpOnCrash"));
        addEnds(command);
        addKeys(command);
        config.sources().allowed().ifPresent(open -> command.add("-Doutpost.runtime.sources=" + open));
        config.sources().cache().ifPresent(kept -> command.add("-Doutpost.runtime.cache.folder=" + absolute(kept)));
        command.addAll(List.of("-jar", absolute(jar), "--host", config.host(), "--port", "0"));
        command.addAll(List.of("--engine", choice.engine().text()));
        return command;
    }

    /** Refuses what the command would. */
    public static void check(ProcessConfig config) {
        jar(config.program());
    }

    private static Path jar(ProcessConfig.Program program) {
        Path jar = program.jar()
                .orElseThrow(() -> new IllegalArgumentException("process: there is no runtime to start: set "
                        + ProcessSetting.JAR.property() + " (" + ProcessSetting.JAR.variable()
                        + ") to outpost-runtime-runner.jar; ./outpost builds it and sets this by itself"));
        if (!Files.isReadable(jar)) {
            throw new IllegalArgumentException(ProcessSetting.JAR.property() + ": " + absolute(jar)
                    + " is not there; ./outpost runtime --help builds the runtime");
        }
        if (!Files.isExecutable(program.java())) {
            throw new IllegalArgumentException(ProcessSetting.JAVA.property() + ": " + absolute(program.java())
                    + " is no program; set it to the bin/java of a Java 25 or newer");
        }
        return jar;
    }

    /** The launcher leaves an empty file where none could be trained. */
    private static boolean isUsable(Path cache) {
        return cache.toFile().length() > 0;
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().toString();
    }

    private static long heap(Memory memory) {
        return (long) (memory.bytes() * SHARE_OF_HEAP) / KIBI;
    }

    private void addEnds(List<String> command) {
        command.add("-Doutpost.runtime.lease=" + lease);
        unused.ifPresent(time -> command.add("-Doutpost.runtime.end.unused=" + time));
        idle.ifPresent(time -> command.add("-Doutpost.runtime.end.idle=" + time));
        life.ifPresent(time -> command.add("-Doutpost.runtime.end.life=" + time));
        command.add("-Doutpost.runtime.end.file=end");
    }

    private void addKeys(List<String> command) {
        command.add(
                isGranted
                        ? "-Doutpost.runtime.grants-file=" + MachineFolder.GRANTS
                        : "-Doutpost.runtime.token-file=" + MachineFolder.TOKEN);
    }
}

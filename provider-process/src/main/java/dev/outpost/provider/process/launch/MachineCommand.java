package dev.outpost.provider.process.launch;

import dev.outpost.provider.ProviderUnavailableException;
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
 * The command of a machine's process. It runs in the machine's folder, so files need no paths. It contains no secret.
 *
 * @param lease the time for which a session outlives its client
 * @param unused the time without any client after which the machine ends
 * @param idle the time without an instruction after which it ends
 * @param life the time after which it ends in any case
 * @param isGranted true if a file of grants contains the hashes of tokens; otherwise a file contains the token itself
 */
public record MachineCommand(
        Duration lease,
        Optional<Duration> unused,
        Optional<Duration> idle,
        Optional<Duration> life,
        boolean isGranted) {
    /** The fraction of the memory that the heap gets; the rest is for threads, code and buffers. */
    private static final double SHARE_OF_HEAP = 0.7;

    private static final int KIBI = 1024;

    /** @throws IllegalArgumentException if no runtime is installed; the message says how to install one */
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

    /** Refuses the same settings as {@link #of}. */
    public static void check(ProcessConfig config) {
        jar(config.program());
    }

    private static Path jar(ProcessConfig.Program program) {
        Path jar = program.jar()
                .orElseThrow(() -> new ProviderUnavailableException("process: there is no runtime to start: set "
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

    /** Returns true if the AOT cache can be used. The launcher leaves an empty file if it could not make one. */
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

package dev.outpost.provider.process.launch;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.process.state.Isolation;
import dev.outpost.provider.process.state.MachineFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Starts the process of a machine. It is detached from this JVM: it outlives the JVM, and a Ctrl-C at the terminal
 * does not reach it. The process writes its id and start time into the machine's folder before it becomes the
 * runtime. So it can be found even if the process that started it dies. If two processes are started for one machine,
 * the second one exits. If the machine's folder has an isolation, the process first enters new namespaces and changes
 * its user.
 */
public final class ProcessLauncher {
    private static final String SHELL = "/bin/sh";
    private static final Path TEMPORARY = Path.of("/tmp");
    private static final String SCRIPT = script();

    private ProcessLauncher() {}

    private static String script() {
        try (InputStream script = ProcessLauncher.class.getResourceAsStream("launcher.sh")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts the processes of a machine and returns at once. Does not start a process or a runner that already exists. */
    public static void launch(MachineFolder machine, ProcessEnvironment environment) throws IOException {
        Optional<Isolation> isolation = machine.isolation();
        launch(machine, MachineFolder.PROCESS, machine.command(), environment.of(machine), isolation);
        List<String> runner = machine.runnerCommand();
        if (!runner.isEmpty()) {
            Map<String, String> all = environment.of(machine);
            all.putAll(machine.runnerEnvironment());
            launch(
                    machine,
                    MachineFolder.RUNNER,
                    runner,
                    all,
                    isolation.map(own -> new Isolation(own.hasView(), own.user(), own.readable(), List.of())));
        }
    }

    private static void launch(
            MachineFolder machine,
            String mark,
            List<String> program,
            Map<String, String> environment,
            Optional<Isolation> isolation)
            throws IOException {
        DebugLog.MACHINE.print("%s: starts %s", machine.path().getFileName(), program);
        ProcessBuilder builder = new ProcessBuilder(
                        command(machine.path(), mark, isolation, gpu(machine), program, HostUser.ofThisProcess()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.start().getOutputStream().close();
    }

    /** Returns the device file of the machine's GPU. */
    private static Optional<Path> gpu(MachineFolder machine) {
        return machine.record()
                .device()
                .flatMap(uuid -> HostGpus.list(HostGpus.OF_THIS_HOST).stream()
                        .filter(gpu -> gpu.uuid().equals(uuid))
                        .map(HostGpu::file)
                        .findFirst());
    }

    /**
     * @param mark the file into which the process writes its id
     * @param gpu the device file of the only GPU that a process with a separate view sees
     * @param self the user that runs the command
     */
    static List<String> command(
            Path folder,
            String mark,
            Optional<Isolation> isolation,
            Optional<Path> gpu,
            List<String> program,
            HostUser self) {
        boolean hasView = isolation.filter(Isolation::hasView).isPresent();
        OptionalInt user = isolation.map(Isolation::user).orElse(OptionalInt.empty());
        List<String> command = new ArrayList<>();
        if (hasView) {
            command.add("unshare");
            command.addAll(user.isPresent() ? List.of() : List.of("--user", "--map-root-user"));
            command.addAll(List.of("--mount", "--pid", "--ipc", "--fork", "--"));
        }
        command.addAll(List.of(SHELL, "-c", SCRIPT, "outpost", folder.toString(), mark, view(isolation)));
        if (user.isPresent()) {
            command.addAll(List.of("switch", user.getAsInt() + "", user.getAsInt() + ""));
        } else if (hasView) {
            command.addAll(List.of("map", self.uid() + "", self.gid() + ""));
        } else {
            command.addAll(List.of("keep", "", ""));
        }
        command.add(gpu.map(Path::toString).orElse(""));
        addPaths(command, isolation.map(Isolation::readable).orElse(List.of()));
        addPaths(command, isolation.map(Isolation::writable).orElse(List.of()));
        command.addAll(program);
        return command;
    }

    /**
     * Returns the script's argument for the temporary folder. If a source is or contains the host's temporary folder,
     * the process sees that folder; otherwise it gets a new one.
     */
    private static String view(Optional<Isolation> isolation) {
        if (isolation.filter(Isolation::hasView).isEmpty()) {
            return "host";
        }
        return isolation.get().writable().stream().anyMatch(TEMPORARY::startsWith) ? "own-host-tmp" : "own";
    }

    private static void addPaths(List<String> command, List<Path> paths) {
        command.add(Integer.toString(paths.size()));
        paths.forEach(path -> command.add(path.toString()));
    }
}

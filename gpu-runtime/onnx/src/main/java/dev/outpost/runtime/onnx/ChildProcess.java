package dev.outpost.runtime.onnx;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Java process beside this one, with a socket and a folder of its own. It inherits few of this process's environment variables, because
 * these contain secrets. If memory is short, Linux ends it before other processes.
 */
final class ChildProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(5);

    /** The inherited environment variables. All others may be secrets of the runtime, such as its token and those of its sources. */
    private static final Set<String> INHERITED = Set.of(
            "PATH",
            "HOME",
            "LANG",
            "LANGUAGE",
            "TZ",
            "LD_LIBRARY_PATH",
            "LD_PRELOAD",
            "NVIDIA_VISIBLE_DEVICES",
            "NVIDIA_DRIVER_CAPABILITIES",
            "NVIDIA_TF32_OVERRIDE");

    private static final List<String> INHERITED_BY_PREFIX = List.of("LC_", "CUDA_", "OMP_");
    private static final String FIRST_TO_END = "1000";

    private final Process process;
    private final SocketChannel channel;

    private ChildProcess(Process process, SocketChannel channel) {
        this.process = process;
        this.channel = channel;
    }

    /** Starts the process, and waits until it has connected. */
    static ChildProcess start() throws IOException {
        return start(ModelProcessMain.class);
    }

    static ChildProcess start(Class<?> main) throws IOException {
        Path folder = Files.createTempDirectory("outpost-models");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (ServerSocketChannel entrance = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            entrance.bind(address);
            Process process = builder(folder, address, main).start();
            process.onExit().thenRun(() -> {
                closeQuietly(entrance);
                remove(folder);
            });
            return accepted(entrance, process);
        } catch (IOException failure) {
            remove(folder);
            throw failure;
        }
    }

    private static ChildProcess accepted(ServerSocketChannel entrance, Process process) throws IOException {
        try (ModelTimer.Watch watch = ModelTimer.after(START, process::destroyForcibly)) {
            SocketChannel channel = entrance.accept();
            endFirst(process);
            return new ChildProcess(process, channel);
        } catch (IOException failure) {
            process.destroyForcibly();
            throw new IOException("it did not start within " + START.toSeconds() + " s, or ended", failure);
        }
    }

    private static ProcessBuilder builder(Path folder, UnixDomainSocketAddress address, Class<?> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The heap is small because elements are stored outside of it. Crash dumps are off because they would fill
        // disks.
        command.addAll(List.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("error"),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder));
        NativeLibraries.folder().ifPresent(libraries -> command.add("-D" + NativeLibraries.PROPERTY + "=" + libraries));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), address.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> !isInherited(name));
        return builder;
    }

    static boolean isInherited(String variable) {
        return INHERITED.contains(variable) || INHERITED_BY_PREFIX.stream().anyMatch(variable::startsWith);
    }

    /** Marks the process as the first to end if memory is short. Only works on Linux. */
    private static void endFirst(Process process) {
        try {
            Files.writeString(Path.of("/proc/" + process.pid() + "/oom_score_adj"), FIRST_TO_END);
        } catch (IOException ignored) {
            // Ignored: then the kernel chooses the process by its own rules.
        }
    }

    SocketChannel channel() {
        return channel;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process forcibly. */
    void destroy() {
        process.destroyForcibly();
    }

    /**
     * Returns the exit status, which is 128 plus the signal if a signal has ended the process. A process that does not end by itself is
     * ended forcibly.
     */
    int awaitEnd() {
        close();
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                destroy();
            }
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            destroy();
            return -1;
        }
    }

    /** Closes the socket, so that the process ends. */
    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static void closeQuietly(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception ignored) {
            // Ignored: nothing more is read or written in either case.
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException ignored) {
            // Ignored: the file was removed before.
        }
    }
}

package dev.outpost.system.server;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.Trust;
import dev.outpost.provider.ConnectionToken;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A runtime in a separate process, on loopback and on a Unix socket. */
public final class RuntimeProcess implements AutoCloseable {
    /** A shared runtime for tests that do not change its state. */
    private static final class Shared {
        static final RuntimeProcess RUNTIME = RuntimeProcess.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(RUNTIME::close));
        }
    }

    static final String LAST_LINE = "device";

    private final Process process;
    private final Path folder;
    private final List<String> output = new CopyOnWriteArrayList<>();

    private RuntimeProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    static RuntimeProcess shared() {
        return Shared.RUNTIME;
    }

    /**
     * Starts a runtime and waits until it serves; see {@link RuntimeCommandLine#of} for the arguments; {@code OUTPOST_X=y} is a variable.
     */
    public static RuntimeProcess start(String... arguments) {
        return launch(arguments).awaitServing();
    }

    /** Starts a runtime that is not expected to serve, or not yet. */
    static RuntimeProcess launch(String... arguments) {
        try {
            Path folder = Files.createTempDirectory("outpost");
            String[] forCommand = Arrays.stream(arguments)
                    .filter(argument -> !isVariable(argument))
                    .toArray(String[]::new);
            ProcessBuilder builder = new ProcessBuilder(RuntimeCommandLine.of(folder.resolve("socket"), forCommand))
                    .redirectError(folder.resolve("errors").toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            Arrays.stream(arguments)
                    .filter(RuntimeProcess::isVariable)
                    .map(argument -> argument.split("=", 2))
                    .forEach(variable -> builder.environment().put(variable[0], variable[1]));
            return new RuntimeProcess(builder.start(), folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean isVariable(String argument) {
        return argument.startsWith("OUTPOST_") && argument.contains("=");
    }

    RuntimeProcess awaitServing() {
        BufferedReader lines = process.inputReader();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                if (line.startsWith(LAST_LINE)) {
                    // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
                    Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(output::add));
                    return this;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        throw new AssertionError("the runtime did not start:\n" + errors());
    }

    // ---- addresses

    /** {@code host:port}. */
    public String endpoint() {
        return said("endpoint");
    }

    /** The connection token: the secret, a dot and the pin. */
    public String token() {
        return said("token");
    }

    String secret() {
        return ConnectionToken.parse(token()).secret();
    }

    Trust.Pin pin() {
        return ConnectionToken.parse(token()).pin().orElseThrow();
    }

    int port() {
        return Integer.parseInt(endpoint().substring(endpoint().lastIndexOf(':') + 1));
    }

    int managementPort() {
        String address = said("management");
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    Path socket() {
        return Path.of(said("socket").substring("unix:".length()));
    }

    Endpoint.Remote remote() {
        return remote(port());
    }

    /** The machine as it is seen through another port of this host. */
    Endpoint.Remote remote(int port) {
        return new Endpoint.Remote("127.0.0.1", port, pin(), secret());
    }

    Endpoint.Local local() {
        return new Endpoint.Local(socket());
    }

    RemoteMachine connect() {
        return RemoteMachine.connect(remote(), new MachineOptions());
    }

    long pid() {
        return process.pid();
    }

    // ---- output

    /** The lines of its standard output. */
    List<String> output() {
        return output;
    }

    /** Its standard error. */
    String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String said(String name) {
        return said(output, name);
    }

    static String said(List<String> output, String name) {
        return output.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line of " + output + " begins with " + name));
    }

    // ---- its end

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        exitStatus();
    }

    /** Pauses the process as {@code kill -STOP} does, until it {@linkplain #resume continues}. */
    void stall() {
        signal("STOP");
    }

    /** Continues the process as {@code kill -CONT} does. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("kill -" + name + " ended with " + status);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Requests its end, without waiting. */
    void terminate() {
        process.destroy();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The CPU time that it has used so far. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Waits for its end. */
    int exitStatus() {
        try {
            return Await.ended("the runtime, which said:\n" + errors(), process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Shuts the runtime down, if possible. */
    @Override
    public void close() {
        terminate();
        try {
            exitStatus();
        } finally {
            kill();
            removeFiles();
        }
    }

    private void removeFiles() {
        for (String file : List.of("socket", "errors", "")) {
            try {
                Files.deleteIfExists(folder.resolve(file));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}

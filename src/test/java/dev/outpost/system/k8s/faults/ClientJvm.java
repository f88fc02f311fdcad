package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.system.HeldProvider;
import io.fabric8.kubernetes.client.Config;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client of a test cluster in a separate process. */
final class ClientJvm implements AutoCloseable {
    private static final String THERE = "there";

    /** Enough time to start and end a JVM and a machine, however busy the computer is. */
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final Process process;
    private final List<String> said = new CopyOnWriteArrayList<>();

    private ClientJvm(Process process) {
        this.process = process;
        // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
        Thread.ofPlatform().daemon().start(this::listen);
    }

    /**
     * Starts a program.
     *
     * @param program its main class
     * @param arguments the arguments after those of {@link #provider}
     */
    static ClientJvm start(Class<?> program, SteppedCluster steppedCluster, Duration lease, String... arguments) {
        Config config = steppedCluster.cluster.config();
        String settings = steppedCluster.settings(lease).entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(";"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                config.getMasterUrl(),
                config.getOauthToken(),
                steppedCluster.cluster.namespace(),
                settings));
        command.addAll(List.of(arguments));
        try {
            return new ClientJvm(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException failure) {
            said.add(failure.toString());
        }
    }

    /** Waits until the program reports that it has reached its step. */
    void awaitThere() {
        ClusterAwait.until("the client is there, or has ended", () -> said.contains(THERE) || !process.isAlive());
        if (!said.contains(THERE)) {
            throw new AssertionError("the client ended: " + String.join("\n", said));
        }
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the client goes on for over " + TIMEOUT.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("the client failed: " + String.join("\n", said));
        }
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    // ---- in the other process

    static HeldProvider provider(String... arguments) {
        return new HeldProvider(ImpatientProvider.at(
                arguments[0],
                arguments[1],
                arguments[2],
                Stream.of(arguments[3].split(";"))
                        .map(setting -> setting.split("=", 2))
                        .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]))));
    }

    /** Returns the first argument of the program itself. */
    static String argument(String... arguments) {
        return arguments[4];
    }

    static void sayThere() {
        System.out.println(THERE);
    }
}

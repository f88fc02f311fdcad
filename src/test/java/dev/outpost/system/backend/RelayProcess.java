package dev.outpost.system.backend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A relay in a separate process, which connects only to this host. */
final class RelayProcess implements AutoCloseable {
    private final Process process;
    private final int port;

    private RelayProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param port the port at which it listens; 0 takes a free one */
    static RelayProcess start(String secret, int port, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.outpost.relay.RelayMain",
                "--host=127.0.0.1",
                "--port=" + port,
                "--targets=127.0.0.0/8"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        builder.environment().put("OUTPOST_RELAY_SECRET", secret);
        try {
            Process process = builder.start();
            BufferedReader lines = process.inputReader();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("relay ")) {
                    return new RelayProcess(process, Integer.parseInt(line.substring(line.lastIndexOf(':') + 1)));
                }
            }
            throw new AssertionError("the relay did not start; it ended with "
                    + process.onExit().join().exitValue());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    int port() {
        return port;
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(40, TimeUnit.SECONDS)) {
                kill();
                throw new AssertionError("the relay did not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            kill();
        }
    }
}

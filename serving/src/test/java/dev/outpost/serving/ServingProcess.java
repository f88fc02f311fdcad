package dev.outpost.serving;

import dev.outpost.support.tests.AotCache;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a separate process, as it is shipped. */
final class ServingProcess implements AutoCloseable {
    /**
     * A shared server for tests that do not change it: a generating model, an embedding model, and no keys. Its cache has room for one
     * whole text.
     */
    private static final class Shared {
        static final ServingProcess SERVER = start(
                List.of(),
                "--model",
                "text=" + TestModels.text(),
                "--model",
                "embedder=" + TestModels.embedder(),
                "--model",
                "reranker=" + TestModels.reranker(),
                "--text-tokens",
                "1024",
                "--cache-tokens",
                "1024");

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private static final Path JAR = Path.of(System.getProperty("outpost.serving.jar"));
    private static final List<String> JVM = List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Doutpost.cpu.vectors=false");

    private final Process process;
    private final BufferedReader lines;
    private final Path errors;
    private final String address;

    private ServingProcess(Process process, BufferedReader lines, Path errors, String address) {
        this.process = process;
        this.lines = lines;
        this.errors = errors;
        this.address = address;
    }

    static ServingProcess shared() {
        return Shared.SERVER;
    }

    /** Waits until the server is ready. */
    static ServingProcess start(String... arguments) {
        return start(List.of(), arguments);
    }

    /** @param variables environment variables, as {@code NAME=VALUE} */
    static ServingProcess start(List<String> variables, String... arguments) {
        try {
            Path errors = Files.createTempFile("outpost-serving", ".log");
            List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
            command.addAll(JVM);
            command.addAll(AotCache.options(
                    JAR,
                    new AotCache.Training(
                            JVM,
                            List.of("--port", "0", "--model", "text=" + TestModels.text()),
                            "ready",
                            lines -> {})));
            command.addAll(List.of("-jar", JAR.toString(), "--port", "0"));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            variables.forEach(variable -> builder.environment()
                    .put(variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1)));
            Process process = builder.start();
            BufferedReader lines = process.inputReader();
            ServingProcess started = new ServingProcess(process, lines, errors, next(lines, "api", errors));
            started.awaitReady();
            return started;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String next(BufferedReader lines, String what, Path errors) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(what)) {
                return line.substring(what.length()).strip();
            }
        }
        throw new AssertionError("the server did not say \"" + what + "\":\n" + Files.readString(errors));
    }

    /** Waits until the server reports that it is ready, which it does each time its models are loaded. */
    void awaitReady() {
        try {
            next(lines, "ready", errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Such as {@code http://127.0.0.1:41235/v1}. */
    String api() {
        return address;
    }

    /** The address without the path. */
    String root() {
        return address.substring(0, address.length() - "/v1".length());
    }

    Process process() {
        return process;
    }

    String log() {
        try {
            return Files.readString(errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
        }
    }
}

package dev.outpost.system.backend.host;

import dev.outpost.support.tests.Await;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command {@code ./outpost worker} in a separate process. */
public final class WorkerProcess implements AutoCloseable {
    private static final String LAST_LINE = "machines ";

    private final Process process;
    private final Path errors;

    private WorkerProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts a worker and waits until it serves.
     *
     * @param code the text for its standard input; empty for none
     */
    public static WorkerProcess start(String backend, Path state, String code) {
        WorkerProcess worker = launch(backend, state, code);
        try {
            BufferedReader lines = worker.process.inputReader();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(LAST_LINE)) {
                    return worker;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        throw new AssertionError("the worker did not start:\n" + worker.errors());
    }

    /** Starts a worker that is not expected to serve. */
    public static WorkerProcess launch(String backend, Path state, String code) {
        try {
            Path errors = Files.createTempFile("outpost-worker", ".log");
            ProcessBuilder builder = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.outpost.cli.Outpost",
                            "worker",
                            "--join",
                            backend,
                            "--state",
                            state.toString(),
                            "--machines",
                            "2"))
                    .redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
            builder.environment()
                    .put("OUTPOST_PROCESS_JAR", RuntimeCommandLine.jar().toString());
            builder.environment().put("OUTPOST_PROCESS_FLAGS", String.join(" ", RuntimeCommandLine.flags()));
            builder.environment().put("OUTPOST_PROCESS_READABLE", RuntimeCommandLine.readable());
            Process process = builder.start();
            try (var input = process.outputWriter()) {
                input.write(code.isEmpty() ? "" : code + "\n");
            }
            return new WorkerProcess(process, errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public int exitStatus() {
        try {
            return Await.ended("the worker, which said:\n" + errors(), process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Shuts the worker down. */
    @Override
    public void close() {
        process.destroy();
        try {
            Await.ended("the worker, which said:\n" + errors(), process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            kill();
        }
    }
}

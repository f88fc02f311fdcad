package dev.outpost.system.lan;

import dev.outpost.support.tests.Await;
import dev.outpost.system.server.RuntimeCommandLine;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A worker of the local network in a separate process, which may be in a separate network namespace. */
final class LanWorkerProcess implements AutoCloseable {
    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();

    private LanWorkerProcess(Process process) {
        this.process = process;
    }

    /**
     * The start of a worker.
     *
     * @param state the folder that keeps its key
     * @param name the name of the worker
     * @param address the address at which it announces itself
     * @param variables further environment variables, as {@code NAME=value}
     * @param prefix a command that starts the worker's, such as {@code ip netns exec NAME}; empty for none
     */
    record Start(Path state, String name, String address, List<String> variables, List<String> prefix) {
        static Start of(Path state, String name, String address) {
            return new Start(state, name, address, List.of(), List.of());
        }

        Start with(String... more) {
            return new Start(state, name, address, Arrays.asList(more), prefix);
        }

        Start in(String namespace) {
            return new Start(state, name, address, variables, List.of("ip", "netns", "exec", namespace));
        }

        /** Starts the worker, and waits until it is announced. */
        LanWorkerProcess run() {
            return launch().awaitAnnounced();
        }

        /** Starts the worker. */
        LanWorkerProcess launch() {
            try {
                ProcessBuilder builder = new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.DISCARD);
                builder.environment().keySet().removeIf(variable -> variable.startsWith("OUTPOST_"));
                builder.environment().put("OUTPOST_RUNTIME_LAN_STATE", state.toString());
                builder.environment().put("OUTPOST_RUNTIME_LAN_ADDRESSES", address);
                for (String variable : variables) {
                    String[] sides = variable.split("=", 2);
                    builder.environment().put(sides[0], sides[1]);
                }
                return new LanWorkerProcess(builder.start());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private List<String> command() {
            List<String> command = new ArrayList<>(prefix);
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(RuntimeCommandLine.flags());
            command.addAll(List.of(
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-cp",
                    classPath(),
                    "dev.outpost.runtime.server.RuntimeMain"));
            command.addAll(List.of("--announce", "--name", name, "--port", "0"));
            return command;
        }

        /** The class path of the runtime with the part that runs ONNX models. */
        private static String classPath() {
            String onnx = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> entry.contains("gpu-runtime/onnx")
                            || entry.contains("outpost-runtime-onnx")
                            || entry.contains("onnxruntime"))
                    .collect(Collectors.joining(File.pathSeparator));
            return RuntimeCommandLine.jar() + File.pathSeparator + onnx;
        }
    }

    private LanWorkerProcess awaitAnnounced() {
        BufferedReader lines = process.inputReader();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                if (line.startsWith("announced ")) {
                    // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
                    Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(output::add));
                    return this;
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        throw new AssertionError("the worker was not announced: " + output);
    }

    /** The code that the worker shows now. */
    String code() {
        return output.stream()
                .filter(line -> line.startsWith("pairing "))
                .reduce((earlier, later) -> later)
                .map(line -> line.substring("pairing".length()).strip())
                .orElseThrow(() -> new AssertionError("no code among " + output));
    }

    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitEnd();
    }

    /** Pauses the process as {@code kill -STOP} does, until it {@linkplain #resume continues}. */
    void stall() {
        signal("STOP");
    }

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

    /** Shuts the worker down, which withdraws its announcement. */
    void terminate() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            Await.ended("the worker", process);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Removes the contents of a folder, so that the worker is a new one. */
    static void forget(Path state) {
        try (var files = Files.walk(state)) {
            files.sorted((one, other) -> other.compareTo(one))
                    .forEach(file -> file.toFile().delete());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

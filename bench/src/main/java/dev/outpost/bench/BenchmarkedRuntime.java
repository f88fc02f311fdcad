package dev.outpost.bench;

import dev.outpost.bench.process.ProgramProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A runtime in a separate process, started like by {@code ./outpost runtime}. */
final class BenchmarkedRuntime implements AutoCloseable {
    private final Process process;
    private final Map<String, String> said;

    /** Starts the runtime that the launcher has built. */
    static BenchmarkedRuntime start() throws IOException {
        return new BenchmarkedRuntime(
                Path.of(System.getProperty("outpost.runtime.jar")),
                Path.of(System.getProperty("outpost.runtime.cache")),
                flags());
    }

    /** Returns the launcher's flags for the JVM. */
    static List<String> flags() {
        return List.of(System.getProperty("outpost.runtime.flags").split(" "));
    }

    /** Starts the process, and waits until it can be reached. */
    private BenchmarkedRuntime(Path jar, Path cache, List<String> flags) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow()));
        command.addAll(flags);
        if (Files.exists(cache) && Files.size(cache) > 0) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.addAll(List.of("-jar", jar.toString(), "--host", "127.0.0.1", "--port", "0"));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        said = ProgramProcess.announced(process, "device", "the runtime did not start; ./outpost runtime tells why");
    }

    String host() {
        return said.get("endpoint").substring(0, said.get("endpoint").lastIndexOf(':'));
    }

    int port() {
        return Integer.parseInt(
                said.get("endpoint").substring(said.get("endpoint").lastIndexOf(':') + 1));
    }

    String endpoint() {
        return said.get("endpoint");
    }

    String token() {
        return said.get("token");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

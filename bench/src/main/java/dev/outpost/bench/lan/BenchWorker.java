package dev.outpost.bench.lan;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.process.ProgramProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A runtime for ONNX models in a namespace of the network, on its own processor. */
final class BenchWorker implements AutoCloseable {
    /** The variable with the class path of the runtime, which the launcher sets. */
    private static final String CLASS_PATH = "OUTPOST_ONNX_RUNTIME";

    private final Process process;
    private final String endpoint;
    private final String token;

    private BenchWorker(Process process, String endpoint, String token) {
        this.process = process;
        this.endpoint = endpoint;
        this.token = token;
    }

    /** Starts a worker on its own processor, if there are enough. */
    static BenchWorker start(BenchNames names, int host) throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        String classPath = System.getenv(CLASS_PATH);
        if (classPath == null || classPath.isBlank()) {
            throw new IOException(
                    "lan: " + CLASS_PATH + " must name the class path of a runtime; ./outpost bench lan does");
        }
        List<String> command = new ArrayList<>(
                List.of("ip", "netns", "exec", names.namespace(host), "taskset", "-c", "" + host % processors));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                classPath,
                "dev.outpost.runtime.server.RuntimeMain",
                "--host",
                names.address(host),
                "--port",
                "0"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        // The namespaces share a file system, so workers would find each other's sockets.
        builder.environment().put("OUTPOST_RUNTIME_PEERS_UNIX_SOCKETS", "false");
        Process process = builder.start();
        Map<String, String> said = ProgramProcess.announced(process, "token", "lan: a worker ended before it served");
        return new BenchWorker(process, said.get("endpoint"), said.get("token"));
    }

    long pid() {
        return process.pid();
    }

    RemoteMachine connect() {
        return RemoteMachine.connect(endpoint, token, new MachineOptions());
    }

    @Override
    public void close() {
        ProgramProcess.end(process, Duration.ofSeconds(10));
    }
}

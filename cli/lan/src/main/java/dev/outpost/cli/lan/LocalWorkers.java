package dev.outpost.cli.lan;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Worker processes on this host that live as long as the command runs. They do not announce themselves. */
final class LocalWorkers implements AutoCloseable {
    /** The class path of a runtime that runs ONNX models. The launcher sets it. */
    private static final String CLASS_PATH = "OUTPOST_ONNX_RUNTIME";

    private static final String MAIN = "dev.outpost.runtime.server.RuntimeMain";

    private final List<Process> processes = new ArrayList<>();
    private final List<RemoteMachine> machines = new ArrayList<>();

    /** Starts {@code count} workers and waits until all of them serve. */
    static LocalWorkers start(int count) throws IOException {
        LocalWorkers workers = new LocalWorkers();
        boolean isStarted = false;
        try {
            for (int worker = 0; worker < count; worker++) {
                workers.processes.add(launch());
            }
            for (Process process : workers.processes) {
                workers.machines.add(connect(process));
            }
            isStarted = true;
            return workers;
        } finally {
            if (!isStarted) {
                workers.close();
            }
        }
    }

    private static Process launch() throws IOException {
        String classPath = System.getenv(CLASS_PATH);
        if (classPath == null || classPath.isBlank()) {
            throw new IllegalStateException("onnx: ./outpost onnx starts workers of its own; here " + CLASS_PATH
                    + " would have to name the class path of a runtime");
        }
        String java = ProcessHandle.current().info().command().orElse("java");
        return new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        MAIN,
                        "--port",
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static RemoteMachine connect(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String endpoint = null;
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            String[] words = line.split("\\s+", 2);
            if (words[0].equals("endpoint")) {
                endpoint = words[1];
            } else if (words[0].equals("token")) {
                return RemoteMachine.connect(endpoint, words[1], new MachineOptions());
            }
        }
        throw new IOException("onnx: a worker of this host ended before it served");
    }

    List<RemoteMachine> machines() {
        return machines;
    }

    @Override
    public void close() {
        machines.forEach(RemoteMachine::close);
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}

package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a short program of the system. */
final class Tool {
    private static final int TIMEOUT_SECONDS = 20;
    private static final String SYSTEM = ":/usr/sbin:/usr/bin:/sbin:/bin";

    private Tool() {}

    /** @param output the output of both streams, or the reason why it did not run */
    record Result(int status, String output) {
        boolean isSuccess() {
            return status == 0;
        }
    }

    static Result run(List<String> command) {
        try {
            Path output = Files.createTempFile("outpost-tool", ".log");
            try {
                return run(command, output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException failure) {
            return new Result(-1, failure.getMessage());
        }
    }

    /** Runs the program. Its output goes to a file, because a process that outlives the program would keep a pipe open. */
    private static Result run(List<String> command, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        builder.environment().merge("PATH", SYSTEM, String::concat);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, "it did not end within " + TIMEOUT_SECONDS + " s");
            }
            return new Result(
                    process.exitValue(),
                    Files.readString(output, StandardCharsets.UTF_8).strip());
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return new Result(-1, "interrupted");
        }
    }
}

package dev.outpost.backend;

import java.io.IOException;
import java.util.Map;

/** A command that is run when the backend serves. */
final class ReadyCommand {
    static final String PROPERTY = "outpost.backend.once-ready";

    private ReadyCommand() {}

    /** Runs the command with the shell, on the terminal of this process, and returns its exit status. */
    static int run(String command, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command).inheritIO();
        builder.environment().putAll(variables);
        Process process = builder.start();
        try {
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("told to stop while the command ran", interrupted);
        }
    }
}

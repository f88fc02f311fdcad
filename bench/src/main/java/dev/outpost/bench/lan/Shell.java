package dev.outpost.bench.lan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs commands that set up networks. */
final class Shell {
    private Shell() {}

    static void run(String command) throws IOException {
        if (!succeeds(command)) {
            throw new IOException("lan: failed: " + command + "; it needs root, iproute2 and network namespaces");
        }
    }

    static boolean succeeds(String command) throws IOException {
        try {
            return process(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("lan: interrupted", interrupted);
        }
    }

    /** Returns the lines that a command prints. */
    static List<String> lines(String command) throws IOException {
        byte[] printed = process(command).start().getInputStream().readAllBytes();
        return new String(printed, StandardCharsets.UTF_8).lines().toList();
    }

    private static ProcessBuilder process(String command) {
        return new ProcessBuilder(List.of(command.split(" "))).redirectErrorStream(true);
    }
}

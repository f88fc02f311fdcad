package dev.outpost.bench.lan;

import java.io.IOException;
import java.util.List;

/** Commands that set up networks. */
final class Shell {
    private Shell() {}

    static void run(String command) throws IOException {
        if (!succeeds(command)) {
            throw new IOException("lan: failed: " + command + "; it needs root, iproute2 and network namespaces");
        }
    }

    static boolean succeeds(String command) throws IOException {
        try {
            return new ProcessBuilder(List.of(command.split(" ")))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("lan: interrupted", stopped);
        }
    }
}

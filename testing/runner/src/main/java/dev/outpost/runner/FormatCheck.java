package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The check that all sources are formatted. It takes a minute in a fresh clone, and Maven would do it before the first module, so it runs
 * as a process parallel to the tests.
 */
final class FormatCheck {
    private final Path root;
    private final Path log;
    private Process process;

    FormatCheck(Path root, Path log) {
        this.root = root;
        this.log = log;
    }

    /** Starts it once. */
    void start() throws IOException {
        if (process == null) {
            process = new ProcessBuilder(
                            List.of(root.resolve("mvnw").toString(), "-q", "--non-recursive", "spotless:check"))
                    .directory(root.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        }
    }

    /** Waits for its end. Returns empty if all sources are formatted, or if it did not start. */
    Optional<String> await() throws InterruptedException {
        return process == null || process.waitFor() == 0
                ? Optional.empty()
                : Optional.of(
                        "sources are not formatted, see " + root.relativize(log) + "; ./outpost format formats them");
    }
}

package dev.outpost.system.k8s;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Breaks and repairs the components of the cluster of {@code testing/real-cluster}, by its command {@code fault}. */
final class ComponentFaults {
    private final Path command;

    private ComponentFaults(Path command) {
        this.command = command;
    }

    /** Aborts the test where it runs on another cluster. The variable is set by {@code test-jvm/bin/java} in that folder. */
    static ComponentFaults open() {
        String folder = System.getenv("OUTPOST_REAL_CLUSTER");
        Assumptions.assumeTrue(
                ChosenCluster.isReal() && folder != null, "only testing/real-cluster can break its components");
        return new ComponentFaults(Path.of(folder).resolve("fault"));
    }

    void kill(String component) {
        run("kill", component);
    }

    void start(String component) {
        run("start", component);
    }

    void pause(String component) {
        run("pause", component);
    }

    void resume(String component) {
        run("resume", component);
    }

    private void run(String... arguments) {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(line + ": " + output);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}

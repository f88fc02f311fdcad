package dev.outpost.system.realcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The commands of {@code testing/real-cluster}, which deploy, inspect and break its cluster. */
public final class Scripts {
    private final Path folder;

    private Scripts(Path folder) {
        this.folder = folder;
    }

    /** Aborts the test where it runs on another cluster. The variable is set by {@code test-jvm/bin/java} in that folder. */
    public static Scripts open() {
        String folder = System.getenv("OUTPOST_REAL_CLUSTER");
        Assumptions.assumeTrue(folder != null, "it needs testing/real-cluster: ./outpost test --real-cluster");
        return new Scripts(Path.of(folder));
    }

    /** Runs a command of the folder and returns its standard output. */
    public String run(String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of(folder.resolve(command).toString()));
        line.addAll(List.of(arguments));
        return run(line);
    }

    public void fault(String... arguments) {
        run("fault", arguments);
    }

    /** Runs kubectl as the administrator. */
    public String kubectl(String... arguments) {
        List<String> line = new ArrayList<>(List.of(folder.resolve("client").toString(), "-u", "admin", "kubectl"));
        line.addAll(List.of(arguments));
        return run(line);
    }

    /** Whether a command of the folder succeeds. */
    public boolean succeeds(String command, String... arguments) {
        try {
            run(command, arguments);
            return true;
        } catch (IllegalStateException failed) {
            return false;
        }
    }

    /** The source tree that the cluster belongs to. */
    Path tree() {
        return folder.getParent().getParent();
    }

    /** The path of a program that the cluster was built with. */
    public String program(String name) {
        return Path.of(System.getenv("KUBECONFIG"))
                .getParent()
                .resolveSibling("bin")
                .resolve(name)
                .toString();
    }

    private static String run(List<String> line) {
        try {
            Path errors = Files.createTempFile("real-cluster", ".log");
            try {
                Process process =
                        new ProcessBuilder(line).redirectError(errors.toFile()).start();
                process.getOutputStream().close();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(line + ":\n" + output + Files.readString(errors));
                }
                return output;
            } finally {
                Files.delete(errors);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}

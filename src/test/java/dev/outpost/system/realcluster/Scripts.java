package dev.outpost.system.realcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The commands of {@code testing/real-cluster}, which deploy, inspect and break its cluster. */
public final class Scripts {
    /** More than a rollout takes on a busy host. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Path folder;

    private Scripts(Path folder) {
        this.folder = folder;
    }

    /** Aborts the test if it runs on another cluster. The variable is set by {@code test-jvm/bin/java} in that folder. */
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
        List<String> all = new ArrayList<>(List.of("-u", "admin", "kubectl"));
        all.addAll(List.of(arguments));
        return run("client", all.toArray(String[]::new));
    }

    /**
     * Writes a kustomization and returns its folder, which is three levels below the source tree: {@code ../../../deploy} is the folder
     * deploy.
     */
    public Path kustomization(String name, String text) {
        try {
            Path target = Files.createDirectories(tree().resolve("target/kustomizations/" + name));
            Files.writeString(target.resolve("kustomization.yaml"), """
                    apiVersion: kustomize.config.k8s.io/v1beta1
                    kind: Kustomization
                    """ + text);
            return target;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns true if a command of the folder succeeds. */
    public boolean succeeds(String command, String... arguments) {
        try {
            run(command, arguments);
            return true;
        } catch (IllegalStateException ignored) {
            return false;
        }
    }

    /** The source tree that the cluster belongs to. */
    private Path tree() {
        return folder.getParent().getParent();
    }

    /** A file or folder of the cluster: {@code REAL_CLUSTER_HOME} in the scripts. */
    public Path home(String path) {
        return Path.of(System.getenv("KUBECONFIG")).getParent().resolveSibling(path);
    }

    private static String run(List<String> line) {
        try {
            Path output = Files.createTempFile("real-cluster", ".out");
            Path errors = Files.createTempFile("real-cluster", ".log");
            try {
                Process process = new ProcessBuilder(line)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
                process.getOutputStream().close();
                boolean isOver = process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
                process.destroyForcibly();
                if (!isOver || process.exitValue() != 0) {
                    throw new IllegalStateException(line + (isOver ? "" : " did not end within " + LONGEST) + ":\n"
                            + Files.readString(output) + Files.readString(errors));
                }
                return Files.readString(output);
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}

package dev.outpost.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The Kubernetes cluster of {@code testing/real-cluster} while tests run on it. {@link #close()} stops it, and so does an earlier end of
 * this JVM.
 */
final class RealCluster implements AutoCloseable {
    private static final String FOLDER = "testing/real-cluster";
    /** The tests that can run on a real cluster. */
    private static final String TAG = "real-cluster";
    /** The exit status of {@code up} if another process has started the cluster. */
    private static final int ALREADY_UP = 3;

    private final Path scripts;
    private Process running;
    private boolean closing;
    private boolean stopped;

    private RealCluster(Path scripts) {
        this.scripts = scripts;
    }

    /** The failed script has printed the reason. */
    static final class StartException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StartException(Path script) {
            super(script + " failed");
        }
    }

    /**
     * Builds the cluster and the images if they are missing or old, and starts a cluster unless one is running.
     *
     * @throws StartException if it did not start
     */
    static RealCluster start(Path root) throws InterruptedException {
        RealCluster cluster = new RealCluster(root.resolve(FOLDER));
        cluster.runOrFail("images");
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "stop-cluster"));
        try {
            cluster.runOrFail("up");
        } catch (StartException | InterruptedException failure) {
            cluster.close();
            throw failure;
        }
        return cluster;
    }

    /** Surefire starts the test JVMs by a script, which puts them into the network of the cluster's clients. */
    static List<String> mavenArguments(Path root, RunnerOptions options) {
        List<String> arguments = new ArrayList<>(List.of(
                "-Dk8s=real",
                "-Djvm="
                        + root.resolve(FOLDER)
                                .resolve("test-jvm")
                                .resolve("bin")
                                .resolve("java")));
        if (options.names().isEmpty()) {
            arguments.add("-Dgroups=" + TAG);
        }
        return arguments;
    }

    /** The script needs a JDK, and Surefire sets {@code JAVA_HOME} to the folder of the script. */
    static Map<String, String> environment() {
        return Map.of("REAL_CLUSTER_JAVA_HOME", System.getProperty("java.home"));
    }

    private void runOrFail(String script) throws InterruptedException {
        int status = begin(script).waitFor();
        if (status == ALREADY_UP) {
            leave();
        } else if (status != 0) {
            throw new StartException(scripts.resolve(script));
        }
    }

    /** A cluster that another process has started is used, and not stopped. */
    private synchronized void leave() {
        stopped = true;
    }

    private synchronized Process begin(String script) {
        if (closing) {
            throw new StartException(scripts.resolve(script));
        }
        running = launch(script);
        return running;
    }

    private Process launch(String script) {
        try {
            return new ProcessBuilder(scripts.resolve(script).toString())
                    .inheritIO()
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends a start that is under way, and stops the cluster. A concurrent call returns when the cluster is stopped. */
    @Override
    public synchronized void close() {
        if (stopped) {
            return;
        }
        closing = true;
        // The script is ended first: if only its present command ended, it would continue with the next one.
        List<ProcessHandle> commands = running.descendants().toList();
        running.destroy();
        commands.forEach(ProcessHandle::destroy);
        running.onExit().join();
        // The interrupt from a terminal that ends the tests also ends the first process.
        if (launch("down").onExit().join().exitValue() != 0) {
            launch("down").onExit().join();
        }
        stopped = true;
    }
}

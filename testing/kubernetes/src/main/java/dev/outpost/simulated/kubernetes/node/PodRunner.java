package dev.outpost.simulated.kubernetes.node;

import java.io.IOException;

/** The runner of a pod's container. */
@FunctionalInterface
public interface PodRunner {
    /**
     * Starts the container, and does not wait until it serves.
     *
     * @throws IOException if it cannot be started
     */
    RunningContainer start(ContainerStart start) throws IOException;
}

package dev.outpost.simulated.kubernetes.node;

import java.util.concurrent.CompletableFuture;

/** A container that was started. */
public interface RunningContainer {
    /** Completes when it is ready; never if it ends before. */
    CompletableFuture<Void> ready();

    /** Completes with the exit status after all its output is in the log. */
    CompletableFuture<Integer> exit();

    /** Asks it to end, like SIGTERM. */
    void terminate();

    /** Ends it at once, like SIGKILL. */
    void kill();
}

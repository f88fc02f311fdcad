package dev.outpost.simulated.kubernetes.node;

import java.util.concurrent.CompletableFuture;

/** A container that was started. */
public interface RunningContainer {
    /** Completes when it is ready; never, where it ends before. */
    CompletableFuture<Void> ready();

    /** Completes with the status with which it ended, when all it said is in its log. */
    CompletableFuture<Integer> exit();

    /** As SIGTERM: asks it to end. */
    void terminate();

    /** As SIGKILL: ends it. */
    void kill();
}

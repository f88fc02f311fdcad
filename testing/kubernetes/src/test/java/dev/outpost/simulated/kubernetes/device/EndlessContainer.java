package dev.outpost.simulated.kubernetes.device;

import dev.outpost.simulated.kubernetes.node.RunningContainer;
import java.util.concurrent.CompletableFuture;

/** A container that is ready at once and runs until it is asked to end. */
final class EndlessContainer implements RunningContainer {
    private static final int TERMINATED = 143;
    private static final int KILLED = 137;

    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    @Override
    public CompletableFuture<Void> ready() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Integer> exit() {
        return exit;
    }

    @Override
    public void terminate() {
        exit.complete(TERMINATED);
    }

    @Override
    public void kill() {
        exit.complete(KILLED);
    }
}

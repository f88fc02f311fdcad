package dev.outpost.simulated.kubernetes.node;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The containers of one pod as a single one: ready when all are ready, ended when all have ended. */
record RunningContainers(List<RunningContainer> all) implements RunningContainer {
    @Override
    public CompletableFuture<Void> ready() {
        return CompletableFuture.allOf(all.stream().map(RunningContainer::ready).toArray(CompletableFuture[]::new));
    }

    /** Returns the highest exit status. */
    @Override
    public CompletableFuture<Integer> exit() {
        return all.stream()
                .map(RunningContainer::exit)
                .reduce((first, second) -> first.thenCombine(second, Math::max))
                .orElseThrow();
    }

    @Override
    public void terminate() {
        all.forEach(RunningContainer::terminate);
    }

    @Override
    public void kill() {
        all.forEach(RunningContainer::kill);
    }
}

package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.node.ContainerStart;
import dev.outpost.simulated.kubernetes.node.InJvmRunner;
import dev.outpost.simulated.kubernetes.node.PodRunner;
import dev.outpost.simulated.kubernetes.node.RunningContainer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs containers in this JVM. Their programs listen only after {@link #release()}, so they are not ready before. */
final class HeldRunner implements PodRunner {
    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private final PodRunner runner = new InJvmRunner();
    private final CompletableFuture<Void> mayListen = new CompletableFuture<>();

    void release() {
        mayListen.complete(null);
    }

    @Override
    public RunningContainer start(ContainerStart start) {
        Held held = new Held();
        mayListen.thenRunAsync(() -> held.start(runner, start));
        return held;
    }

    /** A container whose program begins later, unless the container ends before. Thread-safe. */
    private static final class Held implements RunningContainer {
        private final CompletableFuture<Void> ready = new CompletableFuture<>();
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private Optional<RunningContainer> program = Optional.empty();

        synchronized void start(PodRunner runner, ContainerStart start) {
            if (exit.isDone()) {
                return;
            }
            try {
                RunningContainer begun = runner.start(start);
                program = Optional.of(begun);
                begun.ready().thenRun(() -> ready.complete(null));
                begun.exit().thenAccept(exit::complete);
            } catch (IOException failure) {
                ready.completeExceptionally(failure);
                exit.completeExceptionally(failure);
            }
        }

        @Override
        public CompletableFuture<Void> ready() {
            return ready;
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit;
        }

        @Override
        public synchronized void terminate() {
            program.ifPresentOrElse(RunningContainer::terminate, () -> exit.complete(TERMINATED));
        }

        @Override
        public synchronized void kill() {
            program.ifPresentOrElse(RunningContainer::kill, () -> exit.complete(KILLED));
        }
    }
}

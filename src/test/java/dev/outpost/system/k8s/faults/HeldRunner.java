package dev.outpost.system.k8s.faults;

import dev.outpost.simulated.kubernetes.node.ContainerStart;
import dev.outpost.simulated.kubernetes.node.InJvmRunner;
import dev.outpost.simulated.kubernetes.node.PodRunner;
import dev.outpost.simulated.kubernetes.node.RunningContainer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Runs containers in this JVM, which are not ready before they may be. */
final class HeldRunner implements PodRunner {
    private final PodRunner runner = new InJvmRunner();
    private final CompletableFuture<Void> mayBeReady = new CompletableFuture<>();

    void letGo() {
        mayBeReady.complete(null);
    }

    @Override
    public RunningContainer start(ContainerStart start) throws IOException {
        return new Held(runner.start(start), mayBeReady);
    }

    private record Held(RunningContainer container, CompletableFuture<Void> mayBeReady) implements RunningContainer {
        @Override
        public CompletableFuture<Void> ready() {
            return container.ready().thenCombine(mayBeReady, (ready, released) -> null);
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return container.exit();
        }

        @Override
        public void terminate() {
            container.terminate();
        }

        @Override
        public void kill() {
            container.kill();
        }
    }
}

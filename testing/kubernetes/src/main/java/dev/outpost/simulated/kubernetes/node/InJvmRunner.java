package dev.outpost.simulated.kubernetes.node;

import dev.outpost.runtime.server.LoopbackRuntime;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Runs the runtime's sessions and engine inside this JVM, for tests that start many machines. */
public final class InJvmRunner implements PodRunner {
    @Override
    public RunningContainer start(ContainerStart start) throws IOException {
        return new Started(LoopbackRuntime.start(start.environment(), start.log()::add));
    }

    private record Started(LoopbackRuntime runtime) implements RunningContainer {
        @Override
        public CompletableFuture<Void> ready() {
            return runtime.ready();
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return runtime.exit();
        }

        @Override
        public void terminate() {
            runtime.terminate();
        }

        @Override
        public void kill() {
            runtime.kill();
        }
    }
}

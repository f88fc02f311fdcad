package dev.outpost.simulated.kubernetes.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs containers as processes of this host, by a command that stands for the image's. */
public final class ProcessRunner implements PodRunner {
    private final List<String> command;

    /** @param command the program and its first arguments; the arguments of the container follow */
    public ProcessRunner(List<String> command) {
        this.command = List.copyOf(command);
    }

    @Override
    public RunningContainer start(ContainerStart start) throws IOException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(start.arguments());
        ProcessBuilder builder = new ProcessBuilder(whole).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTPOST_"));
        builder.environment().putAll(start.environment());
        return new ProcessContainer(builder.start(), start);
    }

    private static final class ProcessContainer implements RunningContainer {
        private final Process process;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final CompletableFuture<Void> ready;

        private ProcessContainer(Process process, ContainerStart start) {
            this.process = process;
            this.ready = start.readiness()
                    .map(uri -> Readiness.of(uri, exit::isDone))
                    .orElseGet(() -> CompletableFuture.completedFuture(null));
            // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
            Thread.ofPlatform().daemon().name("test-container-log").start(() -> listen(start));
        }

        private void listen(ContainerStart start) {
            process.inputReader().lines().forEach(start.log()::add);
            exit.complete(process.onExit().join().exitValue());
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
        public void terminate() {
            process.destroy();
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}

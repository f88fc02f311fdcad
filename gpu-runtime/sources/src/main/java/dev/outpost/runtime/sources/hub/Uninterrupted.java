package dev.outpost.runtime.sources.hub;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Runs an operation on a file channel that several threads share. If a thread is interrupted during the operation, Java
 * closes the channel for all threads, and a cancelled load interrupts its thread. So the operation runs on a separate thread.
 * The caller waits for it even if it is interrupted, because local file operations are short.
 */
final class Uninterrupted {
    private Uninterrupted() {}

    interface Use<T> {
        T run() throws IOException;
    }

    static <T> T call(Use<T> use) throws IOException {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual().name("outpost-cache-file").start(() -> {
            try {
                result.complete(use.run());
            } catch (IOException | RuntimeException | Error failure) {
                result.completeExceptionally(failure);
            }
        });
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException interrupted) {
                    // The interrupt status is restored after the operation.
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                default -> throw new IOException(failure.getCause());
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

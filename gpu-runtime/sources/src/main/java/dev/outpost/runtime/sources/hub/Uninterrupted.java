package dev.outpost.runtime.sources.hub;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Uses of a file channel that several threads share. A channel is closed for all of them when a thread that uses it is interrupted, as
 * one is whose load is cancelled; so the use has a thread of its own. The disk is near, so the caller waits for it in any case.
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
            } catch (IOException | RuntimeException | Error failed) {
                result.completeExceptionally(failed);
            }
        });
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException later) {
                    // The caller sees it behind this.
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                default -> throw new IOException(failed.getCause());
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

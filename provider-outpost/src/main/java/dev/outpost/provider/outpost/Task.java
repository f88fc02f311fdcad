package dev.outpost.provider.outpost;

import io.opentelemetry.context.Context;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Work on a virtual thread for one subscriber. Cancelling interrupts it, and returns when it has cleaned up behind itself,
 * which is bounded: the JVM may end right after.
 */
final class Task {
    private static final Duration CLEANING_UP = Duration.ofSeconds(10);

    private Task() {}

    static <T> Uni<T> uni(String name, Callable<T> work) {
        return Uni.createFrom().emitter(emitter -> {
            CompletableFuture<T> result = new CompletableFuture<>();
            Thread thread = Thread.ofVirtual()
                    .name("outpost-" + name)
                    .unstarted(Context.current().wrap(() -> run(work, result)));
            result.whenComplete((value, failure) -> {
                if (failure == null) {
                    emitter.complete(value);
                } else {
                    emitter.fail(failure);
                }
            });
            emitter.onTermination(() -> cancel(thread, result));
            thread.start();
        });
    }

    private static <T> void run(Callable<T> work, CompletableFuture<T> result) {
        try {
            result.complete(work.call());
        } catch (Exception | Error failure) {
            result.completeExceptionally(failure);
        }
    }

    private static void cancel(Thread thread, CompletableFuture<?> result) {
        if (result.isDone()) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(CLEANING_UP);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

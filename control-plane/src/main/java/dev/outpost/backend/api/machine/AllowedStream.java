package dev.outpost.backend.api.machine;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Ends a stream soon after its reader may no longer read it, also if the stream has no items. */
final class AllowedStream {
    private AllowedStream() {}

    /**
     * A stream with the items of another one.
     *
     * @param isAllowed asked on a virtual thread, and may block; if it throws, the stream fails
     * @param every the pause between two questions
     */
    static <T> Multi<T> of(Multi<T> items, BooleanSupplier isAllowed, Duration every) {
        Multi<Optional<T>> untilEnd = items.map(Optional::of).onCompletion().continueWith(Optional.<T>empty());
        Multi<Optional<T>> untilForbidden = Multi.createFrom().emitter(emitter -> {
            Thread thread = Thread.ofVirtual()
                    .name("outpost-allowed-stream")
                    .unstarted(() -> awaitForbidden(emitter, isAllowed, every));
            emitter.onTermination(thread::interrupt);
            thread.start();
        });
        return Multi.createBy()
                .merging()
                .streams(untilEnd, untilForbidden)
                .select()
                .first(Optional::isPresent)
                .map(Optional::get);
    }

    private static <T> void awaitForbidden(
            MultiEmitter<? super Optional<T>> emitter, BooleanSupplier isAllowed, Duration every) {
        try {
            do {
                Thread.sleep(every);
            } while (isAllowed.getAsBoolean());
            emitter.emit(Optional.empty());
        } catch (InterruptedException interrupted) {
            // The stream has ended.
        } catch (RuntimeException failed) {
            emitter.fail(failed);
        }
    }
}

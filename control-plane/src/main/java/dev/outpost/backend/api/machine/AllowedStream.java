package dev.outpost.backend.api.machine;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends a stream soon after its reader has lost the right to read it, even if the stream has no items. */
final class AllowedStream {
    private AllowedStream() {}

    /**
     * Returns a stream with the same items, which ends when {@code isAllowed} is false.
     *
     * @param isAllowed asked on a virtual thread, and may block; if it throws, the stream fails
     * @param every the pause between two checks
     */
    static <T> Multi<T> of(Multi<T> items, BooleanSupplier isAllowed, Duration every) {
        Multi<Optional<T>> untilEnd = items.map(Optional::of).onCompletion().continueWith(Optional.<T>empty());
        Multi<Optional<T>> untilForbidden = Multi.createFrom().emitter(emitter -> {
            CountDownLatch over = new CountDownLatch(1);
            emitter.onTermination(over::countDown);
            Thread.ofVirtual()
                    .name("outpost-allowed-stream")
                    .start(() -> awaitForbidden(emitter, over, isAllowed, every));
        });
        return Multi.createBy()
                .merging()
                .streams(untilEnd, untilForbidden)
                .select()
                .first(Optional::isPresent)
                .map(Optional::get);
    }

    /**
     * Waits until the reader may not read the stream any more, or the stream is over. Needs no interrupt, which would
     * close the connection of a running query.
     */
    private static <T> void awaitForbidden(
            MultiEmitter<? super Optional<T>> emitter, CountDownLatch over, BooleanSupplier isAllowed, Duration every) {
        try {
            boolean isForbidden = false;
            while (!isForbidden && !over.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                isForbidden = !isAllowed.getAsBoolean();
            }
            if (isForbidden) {
                emitter.emit(Optional.empty());
            }
        } catch (InterruptedException | RuntimeException failure) {
            emitter.fail(failure);
        }
    }
}

package dev.outpost.models.training.data;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Prepares the next batch on a background thread while the caller uses the previous batch. Its position is the one after the last returned
 * batch. Used by one thread.
 *
 * @param <B> a batch
 */
public final class PrefetchedData<B> implements TrainingData<B> {
    private final TrainingData<B> data;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("outpost-data").factory());
    private CompletableFuture<Fetched<B>> next;
    private Map<String, Long> position;
    private double epoch;

    private record Fetched<B>(B batch, Map<String, Long> position, double epoch) {}

    /** @param data must not be used by other code from here on */
    public PrefetchedData(TrainingData<B> data) {
        this.data = data;
        position = data.position();
        epoch = data.epoch();
    }

    @Override
    public B next() {
        CompletableFuture<Fetched<B>> awaited = next == null ? fetch() : next;
        Fetched<B> fetched;
        try {
            fetched = awaited.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
        position = fetched.position;
        epoch = fetched.epoch;
        next = fetch();
        return fetched.batch;
    }

    private CompletableFuture<Fetched<B>> fetch() {
        return CompletableFuture.supplyAsync(
                () -> {
                    B batch = data.next();
                    return new Fetched<>(batch, data.position(), data.epoch());
                },
                thread);
    }

    @Override
    public Map<String, Long> position() {
        return position;
    }

    @Override
    public void moveTo(Map<String, Long> newPosition) {
        if (next != null) {
            next.exceptionally(failed -> null).join();
            next = null;
        }
        data.moveTo(newPosition);
        position = newPosition;
        epoch = data.epoch();
    }

    @Override
    public double epoch() {
        return epoch;
    }

    /** Waits for the background thread, if it prepares a batch. */
    @Override
    public void close() {
        thread.close();
        data.close();
    }
}

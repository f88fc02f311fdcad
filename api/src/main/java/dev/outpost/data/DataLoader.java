package dev.outpost.data;

import dev.outpost.client.calls.ArgumentChecks;
import java.util.Iterator;

/**
 * A dataset in batches. Each iteration is an epoch; a shuffled loader has a different order in each epoch, and equal
 * seeds give equal orders.
 *
 * <pre>{@code
 * for (var batch : new DataLoader(digits, 64).shuffle(seed)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class DataLoader implements Iterable<Batch> {
    private final Dataset dataset;
    private final BatchSampler sampler;
    private long epoch;

    /**
     * Reads the examples in order, in batches of this size; the last one may be smaller.
     *
     * {@snippet file="TrainingExamplesTest.java" region="dataLoader"}
     *
     * @param batchSize the number of examples in a batch, at least 1
     */
    public DataLoader(Dataset dataset, int batchSize) {
        this.dataset = dataset;
        this.sampler =
                new BatchSampler(ArgumentChecks.required(dataset, "the dataset").size(), batchSize);
    }

    /**
     * Shuffles for every epoch. Returns this loader.
     *
     * {@snippet file="TrainingExamplesTest.java" region="shuffle"}
     *
     * @param seed equal seeds give equal orders
     */
    public DataLoader shuffle(long seed) {
        sampler.shuffle(seed);
        return this;
    }

    /**
     * Leaves out a last batch that is smaller than the others. Returns this loader.
     *
     * {@snippet file="TrainingExamplesTest.java" region="shuffle"}
     */
    public DataLoader dropLast() {
        sampler.dropLast();
        return this;
    }

    /** Sets the epoch of the next iteration, for example when training is resumed. */
    public DataLoader epoch(long nextEpoch) {
        epoch = nextEpoch;
        return this;
    }

    /** Returns the number of batches in an epoch. */
    public int batches() {
        return sampler.batches();
    }

    @Override
    public Iterator<Batch> iterator() {
        return sampler.epoch(epoch++).stream().map(dataset::batch).iterator();
    }
}

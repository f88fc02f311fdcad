package dev.outpost.data;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A dataset in batches. Each iteration is an epoch; a shuffled loader has a different order in each epoch, and equal
 * seeds give equal orders.
 *
 * <pre>{@code
 * for (var batch : new DataLoader<>(digits, 64).shuffle(seed)) {
 *     ...
 * }
 * }</pre>
 *
 * <p>While the program computes with a batch, a thread loads the next two; {@link #prefetch} loads more at a time. The order
 * of the batches does not depend on threads.
 *
 * <p>Not thread-safe.
 *
 * @param <B> a batch
 */
public final class DataLoader<B> implements Iterable<B> {
    private final Function<int[], B> read;
    private final BatchSampler sampler;
    /** Held while a batch is read, unless several may be read at a time. Loads of an iteration that was abandoned may still run. */
    private final ReentrantLock reading = new ReentrantLock();

    private int ahead = 2;
    private int workers = 1;
    private long epoch;

    private DataLoader(Function<int[], B> read, int size, int batchSize) {
        this.read = read;
        sampler = new BatchSampler(size, batchSize);
    }

    /**
     * Reads the elements in order, in batches of this size; the last one may be smaller. A batch has the type of an element, as in
     * {@link Collate#sameType}.
     *
     * {@snippet file="TrainingExamplesTest.java" region="dataLoader"}
     *
     * @param batchSize the number of elements in a batch, at least 1
     */
    public DataLoader(Dataset<B> dataset, int batchSize) {
        this(dataset, batchSize, Collate.sameType());
    }

    /**
     * Like {@link #DataLoader(Dataset, int)}, but with batches that a function makes.
     *
     * {@snippet file="DataExamplesTest.java" region="collate"}
     *
     * @param collate called by the thread that loads the batch
     */
    public <T> DataLoader(Dataset<T> dataset, int batchSize, Collate<? super T, ? extends B> collate) {
        this(
                new BatchReader<>(
                        ArgumentChecks.required(dataset, "the dataset"),
                        ArgumentChecks.required(collate, "the collate function")),
                dataset.size(),
                batchSize);
    }

    /**
     * Shuffles for every epoch. Returns this loader.
     *
     * {@snippet file="TrainingExamplesTest.java" region="shuffle"}
     *
     * @param seed equal seeds give equal orders
     */
    public DataLoader<B> shuffle(long seed) {
        sampler.shuffle(seed);
        return this;
    }

    /**
     * Leaves out a last batch that is smaller than the others. Returns this loader.
     *
     * {@snippet file="TrainingExamplesTest.java" region="shuffle"}
     */
    public DataLoader<B> dropLast() {
        sampler.dropLast();
        return this;
    }

    /**
     * Loads this number of batches at a time, each on a thread of its own, before the program takes them. So several threads read the
     * dataset at a time. With 0 the program's thread loads a batch when it takes it. By default one thread loads up to two batches
     * ahead, one after the other. Returns this loader.
     *
     * {@snippet file="DataExamplesTest.java" region="prefetch"}
     */
    public DataLoader<B> prefetch(int batches) {
        if (batches < 0) {
            throw new OpException("DataLoader", "the number of batches ahead must be at least 0, got " + batches);
        }
        ahead = batches;
        workers = batches;
        return this;
    }

    /** Sets the epoch of the next iteration, for example when training is resumed. */
    public DataLoader<B> epoch(long nextEpoch) {
        epoch = nextEpoch;
        return this;
    }

    /** Returns the number of batches in an epoch. */
    public int batches() {
        return sampler.batches();
    }

    /** Returns the next epoch's batches. A loop that may end early can close them, and so end the loading at once. */
    @Override
    public Batches<B> iterator() {
        List<int[]> indices = sampler.epoch(epoch++);
        return new Batches<>(indices, workers > 1 ? read : this::readAlone, ahead, workers);
    }

    private B readAlone(int[] batch) {
        if (!reading.tryLock()) {
            try {
                reading.lockInterruptibly();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new OutpostException(
                        FaultKind.USER, "DataLoader: interrupted while another batch was loaded", interrupted);
            }
        }
        try {
            return read.apply(batch);
        } finally {
            reading.unlock();
        }
    }
}

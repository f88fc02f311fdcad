package dev.outpost.data;

import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Selects the indices of the examples of each batch, in order or in a new random order for every epoch. */
public final class BatchSampler {
    private final int size;
    private final int batchSize;
    private OptionalLong seed = OptionalLong.empty();
    private boolean dropLast;

    /** @param size the number of examples */
    public BatchSampler(int size, int batchSize) {
        if (batchSize <= 0) {
            throw new OpException("BatchSampler", "the batch size must be above 0, got " + batchSize);
        }
        this.size = size;
        this.batchSize = batchSize;
    }

    /** Shuffles the examples of each epoch. The order depends on the seed and the epoch. */
    public BatchSampler shuffle(long newSeed) {
        seed = OptionalLong.of(newSeed);
        return this;
    }

    /** Leaves out a last batch that is smaller than the others. */
    public BatchSampler dropLast() {
        dropLast = true;
        return this;
    }

    /** Returns the number of batches in an epoch. */
    public int batches() {
        return dropLast ? size / batchSize : Math.ceilDiv(size, batchSize);
    }

    /** Returns an epoch's examples in order. */
    public int[] order(long epoch) {
        return seed.isPresent()
                ? Permutation.of(size, Permutation.derive(seed.getAsLong(), epoch))
                : IntStream.range(0, size).toArray();
    }

    /** Returns an epoch's examples batch by batch. */
    public List<int[]> epoch(long epoch) {
        int[] order = order(epoch);
        return IntStream.range(0, batches())
                .mapToObj(
                        batch -> Arrays.copyOfRange(order, batch * batchSize, Math.min((batch + 1) * batchSize, size)))
                .toList();
    }
}

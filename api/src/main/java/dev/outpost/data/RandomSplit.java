package dev.outpost.data;

import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits a dataset at random. */
public final class RandomSplit {
    private RandomSplit() {}

    /**
     * Returns parts of these sizes, whose sum must be the size of the dataset. Equal seeds give equal parts.
     *
     * {@snippet file="TrainingExamplesTest.java" region="randomSplit"}
     */
    public static <T> List<Subset<T>> of(Dataset<T> dataset, long seed, int... sizes) {
        if (Arrays.stream(sizes).sum() != dataset.size()) {
            throw new OpException(
                    "RandomSplit", "the sizes must sum to " + dataset.size() + ", got " + Arrays.toString(sizes));
        }
        int[] order = Permutation.of(dataset.size(), seed);
        List<Subset<T>> parts = new ArrayList<>();
        int from = 0;
        for (int size : sizes) {
            parts.add(new Subset<>(dataset, Arrays.copyOfRange(order, from, from + size)));
            from += size;
        }
        return List.copyOf(parts);
    }
}

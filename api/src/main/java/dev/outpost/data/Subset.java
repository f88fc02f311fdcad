package dev.outpost.data;

import dev.outpost.types.OpException;
import java.util.Arrays;

/** Some of a dataset's examples, in a given order. */
public final class Subset implements Dataset {
    private final Dataset whole;
    private final int[] indices;

    public Subset(Dataset whole, int... indices) {
        for (int index : indices) {
            requireIndex(index, whole.size());
        }
        this.whole = whole;
        this.indices = indices.clone();
    }

    private static void requireIndex(int index, int size) {
        if (index < 0 || index >= size) {
            throw new OpException("Subset", "the index is out of bounds for " + size + " rows, got " + index);
        }
    }

    @Override
    public int size() {
        return indices.length;
    }

    @Override
    public Batch batch(int... positions) {
        return whole.batch(
                Arrays.stream(positions).map(position -> indices[position]).toArray());
    }
}

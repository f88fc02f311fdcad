package dev.outpost.data;

import java.util.Arrays;
import java.util.Objects;

/** Some of a dataset's examples, in an order of their own. */
public final class Subset implements Dataset {
    private final Dataset whole;
    private final int[] indices;

    public Subset(Dataset whole, int... indices) {
        for (int index : indices) {
            Objects.checkIndex(index, whole.size());
        }
        this.whole = whole;
        this.indices = indices.clone();
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

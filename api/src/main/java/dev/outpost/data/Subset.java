package dev.outpost.data;

import dev.outpost.types.OpException;

/** Some of a dataset's elements, in a given order. */
public final class Subset<T> implements Dataset<T> {
    private final Dataset<? extends T> whole;
    private final int[] indices;

    public Subset(Dataset<? extends T> whole, int... indices) {
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
    public T item(int position) {
        return whole.item(indices[position]);
    }
}

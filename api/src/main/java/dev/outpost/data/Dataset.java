package dev.outpost.data;

import java.util.stream.IntStream;

/** Examples by index, with a target each. */
public interface Dataset {
    /** The number of examples. */
    int size();

    /** The examples at those indices, in that order. */
    Batch batch(int... indices);

    /** All examples, in order. */
    default Batch all() {
        return batch(IntStream.range(0, size()).toArray());
    }
}

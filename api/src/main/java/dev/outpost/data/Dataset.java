package dev.outpost.data;

import java.util.stream.IntStream;

/** A collection of examples, each with a target, that are read by index. */
public interface Dataset {
    /** Returns the number of examples. */
    int size();

    /** Returns the examples at these indices, in this order. */
    Batch batch(int... indices);

    /** Returns all examples, in order. */
    default Batch all() {
        return batch(IntStream.range(0, size()).toArray());
    }
}

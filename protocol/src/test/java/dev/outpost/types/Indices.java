package dev.outpost.types;

import java.util.stream.IntStream;

/** Index arrays with one position more or less. */
final class Indices {
    private Indices() {}

    static long[] without(long[] values, int at) {
        return IntStream.range(0, values.length)
                .filter(place -> place != at)
                .mapToLong(place -> values[place])
                .toArray();
    }

    static long[] with(long[] values, int at, long value) {
        return IntStream.rangeClosed(0, values.length)
                .mapToLong(place -> place < at ? values[place] : place == at ? value : values[place - 1])
                .toArray();
    }
}

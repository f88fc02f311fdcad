package dev.outpost.data;

import dev.outpost.types.OpException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A collection of elements that are read by index, like {@code torch.utils.data.Dataset}. An element is of any type: a
 * record, a map, a list, a tensor. It must be equal each time, except for random changes that are wanted.
 *
 * {@snippet file="DataExamplesTest.java" region="dataset"}
 *
 * @param <T> an element
 */
public interface Dataset<T> {
    /** Returns the number of elements. */
    int size();

    /**
     * Reads an element. It may wait, for example for a file. A {@link DataLoader} calls it on another thread than the
     * one that takes the batches; see {@link DataLoader#prefetch} for the number of threads.
     *
     * @param index from 0 to {@code size() - 1}
     */
    T item(int index);

    /** Returns the elements of a list, which must not change. */
    static <T> Dataset<T> of(List<? extends T> elements) {
        return of(elements.size(), elements::get);
    }

    /**
     * Returns a dataset whose elements a function reads.
     *
     * {@snippet file="DataExamplesTest.java" region="dataset"}
     */
    static <T> Dataset<T> of(int size, IntFunction<? extends T> read) {
        if (size < 0) {
            throw new OpException("Dataset", "the size must be at least 0, got " + size);
        }
        Objects.requireNonNull(read);
        return new Dataset<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public T item(int index) {
                return read.apply(Objects.checkIndex(index, size));
            }
        };
    }

    /**
     * Returns a dataset with changed elements. The function is called each time when an element is read.
     *
     * {@snippet file="DataExamplesTest.java" region="map"}
     */
    default <R> Dataset<R> map(Function<? super T, ? extends R> change) {
        return of(size(), index -> change.apply(item(index)));
    }
}

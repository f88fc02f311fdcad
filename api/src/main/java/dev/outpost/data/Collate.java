package dev.outpost.data;

import java.util.List;

/**
 * Makes a batch of elements, like {@code collate_fn} in PyTorch. Any function of a list is one.
 *
 * @param <T> an element
 * @param <B> a batch
 */
@FunctionalInterface
public interface Collate<T, B> {
    /** Returns the batch of these elements, of which there is at least one. */
    B collate(List<? extends T> elements);

    /**
     * Returns the default: a batch has the type of an element. Tensors of one shape are stacked to {@code [elements, …]};
     * records, maps and lists are made part by part; text and enums stay lists in maps and lists. A number, boolean or array in a map
     * or list becomes a tensor: whole numbers int64, {@code float} float32, other numbers and a mix of numbers float64, and arrays as in {@link
     * dev.outpost.HostTensor#of(float[])}. Values of a map or list change their type, so declare it as {@code Map<String, Object>} or
     * {@code List<Object>}. A record whose components cannot hold tensors is refused; see {@link #into}.
     */
    static <T> Collate<T, T> sameType() {
        return new DefaultCollate<>();
    }

    /**
     * Returns a function that makes records of another type, by the names of its components. A component {@code
     * HostTensor} receives the tensor of all values, as in {@link #sameType}, a component {@code List} the values as they
     * are, such as texts or tensors of different shapes, and a component that is a record or a map is made in the same
     * way.
     *
     * {@snippet file="DataExamplesTest.java" region="collate"}
     *
     * @param type a record; elements are records or maps that have its components
     */
    static <B extends Record> Collate<Object, B> into(Class<B> type) {
        return new RecordCollate<>(type);
    }
}

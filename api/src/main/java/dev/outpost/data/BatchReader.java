package dev.outpost.data;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Reads the elements of a batch one after the other, and collates them. */
record BatchReader<T, B>(Dataset<T> dataset, Collate<? super T, ? extends B> collate) implements Function<int[], B> {
    @Override
    public B apply(int[] indices) {
        List<T> elements = new ArrayList<>(indices.length);
        for (int index : indices) {
            elements.add(item(index));
        }
        try {
            return collate.collate(elements);
        } catch (RuntimeException failure) {
            throw failed("the batch of the elements " + Arrays.toString(indices) + " cannot be made", failure);
        }
    }

    private T item(int index) {
        try {
            return dataset.item(index);
        } catch (RuntimeException failure) {
            throw failed("element " + index + " cannot be loaded", failure);
        }
    }

    private static OutpostException failed(String sentence, RuntimeException failure) {
        FaultKind kind = failure instanceof OutpostException known ? known.kind() : FaultKind.USER;
        String reason = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return new OutpostException(kind, "DataLoader: " + sentence + ": " + reason, failure);
    }
}

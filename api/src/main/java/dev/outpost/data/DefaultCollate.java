package dev.outpost.data;

import java.util.List;
import java.util.Map;

/** Makes a batch of the type of its elements. */
final class DefaultCollate<T> implements Collate<T, T> {
    @Override
    @SuppressWarnings("unchecked")
    public T collate(List<? extends T> elements) {
        T first = elements.getFirst();
        Object batch = CollatedValues.of(elements, "");
        boolean isSameKind = first instanceof List<?> && batch instanceof List<?>
                || first instanceof Map<?, ?> && batch instanceof Map<?, ?>
                || first.getClass().isInstance(batch);
        if (!isSameKind) {
            throw CollatedValues.problem(
                    "",
                    "a batch of " + first.getClass().getSimpleName() + " is no "
                            + first.getClass().getSimpleName() + "; map the elements to HostTensor or to records, or "
                            + "give the DataLoader a collate function");
        }
        return (T) batch;
    }
}

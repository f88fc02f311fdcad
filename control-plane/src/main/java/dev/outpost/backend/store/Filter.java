package dev.outpost.backend.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a statement, without those that do not hold for a caller: PostgreSQL then finds the index for each combination, also
 * where it plans a statement without its values. For one thread.
 */
final class Filter {
    private final StringBuilder text = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    private Filter() {}

    static Filter of(String condition, Object... values) {
        return new Filter().and(condition, values);
    }

    Filter and(String condition, Object... more) {
        text.append(text.isEmpty() ? " WHERE " : " AND ").append(condition);
        values.addAll(Arrays.asList(more));
        return this;
    }

    /** A condition that holds if there is a value, which it has one place for. */
    Filter andIf(Optional<?> value, String condition) {
        return value.isPresent() ? and(condition, value.get()) : this;
    }

    /** {@code WHERE} and the conditions, with a space before them. */
    String text() {
        return text.toString();
    }

    /** Returns the values of the conditions, followed by {@code last}. */
    Object[] values(Object... last) {
        List<Object> all = new ArrayList<>(values);
        all.addAll(Arrays.asList(last));
        return all.toArray();
    }
}

package dev.outpost.backend.store.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a statement that apply to a call. Other conditions are left out of the SQL, so PostgreSQL finds
 * the right index for each combination, even if it plans the statement without values. Not thread-safe.
 */
public final class Filter {
    private final StringBuilder text = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    private Filter() {}

    public static Filter of(String condition, Object... values) {
        return new Filter().and(condition, values);
    }

    public Filter and(String condition, Object... more) {
        text.append(text.isEmpty() ? " WHERE " : " AND ").append(condition);
        values.addAll(Arrays.asList(more));
        return this;
    }

    /** Adds a condition with one placeholder, if a value is present. */
    public Filter andIf(Optional<?> value, String condition) {
        return value.isPresent() ? and(condition, value.get()) : this;
    }

    /** Returns {@code WHERE} and the conditions, after a space. */
    public String text() {
        return text.toString();
    }

    /** Returns the values of the conditions, followed by {@code last}. */
    public Object[] values(Object... last) {
        List<Object> all = new ArrayList<>(values);
        all.addAll(Arrays.asList(last));
        return all.toArray();
    }
}

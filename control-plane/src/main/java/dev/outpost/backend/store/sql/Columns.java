package dev.outpost.backend.store.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The columns that a statement writes, with their values. Not thread-safe. */
public final class Columns {
    private final List<String> names = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private Columns() {}

    /** @param columns their names, separated by commas; the record has components of these names ({@link RecordShape}) */
    public static Columns of(Record row, String columns) {
        return new Columns().and(row, columns);
    }

    public Columns and(Record row, String columns) {
        for (String column : columns.split(", ")) {
            and(column, RecordShape.value(row, column));
        }
        return this;
    }

    public Columns and(String column, Object value) {
        names.add(column);
        values.add(value);
        return this;
    }

    /**
     * Returns the columns and the placeholders of their values, in the form that follows the table's name in an
     * insertion.
     */
    String insertion() {
        return " (" + String.join(", ", names) + ") VALUES (" + "?, ".repeat(names.size() - 1) + "?)";
    }

    /** Returns the columns with placeholders, in the form that follows {@code SET}. */
    String assignments() {
        return names.stream().map(name -> name + " = ?").collect(Collectors.joining(", "));
    }

    /** Returns the SQL clause by which an insertion overwrites the columns of an existing row that are not in the key. */
    String orReplace(String key) {
        List<String> ofKey = Arrays.asList(key.split(", "));
        return "ON CONFLICT (" + key + ") DO UPDATE SET "
                + names.stream()
                        .filter(name -> !ofKey.contains(name))
                        .map(name -> name + " = excluded." + name)
                        .collect(Collectors.joining(", "));
    }

    public Object[] values(Object... last) {
        List<Object> all = new ArrayList<>(values);
        all.addAll(Arrays.asList(last));
        return all.toArray();
    }
}

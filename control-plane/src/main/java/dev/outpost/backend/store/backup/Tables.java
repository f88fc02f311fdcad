package dev.outpost.backend.store.backup;

import dev.outpost.backend.store.sql.Sql;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The tables of the schema, each after those to which it refers. */
public final class Tables {
    private Tables() {}

    private record Reference(String from, String to) {}

    static List<String> inOrder(Sql sql) {
        Map<String, Set<String>> references = sql
                .query(
                        "SELECT conrelid::regclass::text AS table_from, confrelid::regclass::text AS table_to FROM pg_constraint"
                                + " WHERE contype = 'f' AND conrelid <> confrelid",
                        row -> new Reference(row.text("table_from"), row.text("table_to")))
                .stream()
                .collect(Collectors.groupingBy(Reference::from, Collectors.mapping(Reference::to, Collectors.toSet())));
        Set<String> ordered = new LinkedHashSet<>();
        all(sql).forEach(table -> add(table, references, ordered));
        return new ArrayList<>(ordered);
    }

    private static void add(String table, Map<String, Set<String>> references, Set<String> ordered) {
        references.getOrDefault(table, Set.of()).stream()
                .sorted()
                .filter(other -> !ordered.contains(other))
                .forEach(other -> add(other, references, ordered));
        ordered.add(table);
    }

    private static List<String> all(Sql sql) {
        return sql.query(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
                        + " AND table_type = 'BASE TABLE' AND table_name <> 'flyway_schema_history' ORDER BY table_name",
                String.class);
    }

    /** Returns the number of the newest migration that was applied. */
    static int version(Sql sql) {
        return sql.one(
                        "SELECT max(version::int)::int AS version FROM flyway_schema_history WHERE success",
                        Integer.class)
                .orElseThrow();
    }
}

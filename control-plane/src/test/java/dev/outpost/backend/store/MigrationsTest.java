package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Migrations only add, so replicas of the version before go on with the schema of the version after it. */
class MigrationsTest {
    private static final Path FOLDER = Path.of("src", "main", "resources", "db", "migration");
    private static final Pattern TAKES_AWAY = Pattern.compile(
            "\\b(DROP|TRUNCATE|RENAME|ALTER\\s+COLUMN|SET\\s+NOT\\s+NULL)\\b", Pattern.CASE_INSENSITIVE);

    /** A column that rows of the version before would not have. */
    private static final Pattern DEMANDED_COLUMN =
            Pattern.compile("ADD\\s+COLUMN(?![^,;]*\\bDEFAULT\\b)[^,;]*\\bNOT\\s+NULL\\b", Pattern.CASE_INSENSITIVE);

    private static List<String> problems(String migration) {
        String statements = migration.replaceAll("--.*", "");
        return Stream.of(TAKES_AWAY, DEMANDED_COLUMN)
                .flatMap(pattern -> pattern.matcher(statements).results())
                .map(found -> found.group().replaceAll("\\s+", " "))
                .toList();
    }

    @Test
    void eachOnlyAdds() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Path> migrations = files.toList();
            assertTrue(migrations.size() > 10, migrations::toString);
            for (Path migration : migrations) {
                assertEquals(
                        List.of(),
                        problems(Files.readString(migration)),
                        () -> migration.getFileName() + " would break replicas of the version before");
            }
        }
    }

    @Test
    void changesThatBreakTheVersionBeforeAreFound() {
        assertEquals(List.of("DROP"), problems("ALTER TABLE keys DROP COLUMN name;"));
        assertEquals(List.of("RENAME"), problems("ALTER TABLE keys RENAME TO tokens;"));
        assertEquals(List.of("ADD COLUMN a int NOT NULL"), problems("ALTER TABLE keys ADD COLUMN a\n int NOT NULL;"));
        assertFalse(problems("ALTER TABLE keys ALTER COLUMN a TYPE bigint").isEmpty());
        assertEquals(List.of(), problems("ALTER TABLE keys ADD COLUMN a int NOT NULL DEFAULT 1, ADD COLUMN b text;"));
        assertEquals(List.of(), problems("-- DROP nothing\nCREATE TABLE a (b int NOT NULL);"));
    }
}

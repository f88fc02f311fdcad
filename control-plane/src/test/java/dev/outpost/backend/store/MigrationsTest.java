package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.sql.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Migrations only add, so replicas of the previous version keep working with the schema of the next version. */
class MigrationsTest {
    private static final Path FOLDER = Path.of("src", "main", "resources", "db", "migration");
    private static final Pattern TAKES_AWAY = Pattern.compile(
            "\\b(DROP|TRUNCATE|RENAME|ALTER\\s+COLUMN|SET\\s+NOT\\s+NULL)\\b", Pattern.CASE_INSENSITIVE);

    /** A column that rows written by the previous version would lack. */
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

    /** Before V36 roles from groups did not expire. */
    @Test
    void membershipsThatGroupsGaveEndAfterTheUpgrade() {
        try (TestDatabase test = TestDatabase.ofSchema("40")) {
            test.database().run(sql -> {
                // TenantRows writes a column that schema 40 does not have, so the test inserts the rows itself.
                sql.update("INSERT INTO organisations (name) VALUES ('acme')");
                sql.update("INSERT INTO projects (organisation, name) VALUES ('acme', 'vision')");
                member(sql, "", "left", "ADMIN");
                AuditRows.add(sql, "acme", "left", "identity.login", "k1", "Lea");
                member(sql, "vision", "left", "DEVELOPER");
                member(sql, "", "promoted", "ADMIN");
                AuditRows.add(sql, "acme", "k0", "member.set", "promoted", "VIEWER of the organisation");
                AuditRows.add(sql, "acme", "promoted", "identity.login", "k2", "Pat");
                member(sql, "vision", "kept", "DEVELOPER");
                AuditRows.add(sql, "acme", "kept", "identity.login", "k3", "Kim");
                AuditRows.add(sql, "acme", "k0", "member.set", "kept", "DEVELOPER of vision");
                member(sql, "", "service", "VIEWER");
            });
            test.upgrade();
            assertEquals(
                    List.of("left", "left vision", "promoted"),
                    test.database()
                            .transact(sql -> sql.query(
                                    "SELECT trim(subject || ' ' || project) AS name FROM members WHERE expires_at"
                                            + " BETWEEN outpost_now() + interval '23 hours' AND outpost_now() + interval '24 hours'"
                                            + " ORDER BY 1",
                                    row -> row.text("name"))));
            assertEquals(
                    List.of("kept", "service"),
                    test.database()
                            .transact(sql -> sql.query(
                                    "SELECT subject FROM members WHERE expires_at IS NULL ORDER BY 1",
                                    row -> row.text("subject"))));
        }
    }

    private static void member(Sql sql, String project, String subject, String role) {
        sql.update(
                "INSERT INTO members (organisation, project, subject, role) VALUES ('acme', ?, ?, ?)",
                project,
                subject,
                role);
    }
}

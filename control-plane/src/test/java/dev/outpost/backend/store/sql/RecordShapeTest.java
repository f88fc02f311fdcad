package dev.outpost.backend.store.sql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests records that are written to a table and read from it. */
class RecordShapeTest {
    private static final String COLUMNS = "id, name, paused, kinds, labels, room, bytes, idle, created_at, host, port";

    private final TestDatabase test = TestDatabase.create();

    enum Kind {
        FIRST,
        SECOND
    }

    record Address(String host, int port) {}

    record Limits(OptionalInt room, OptionalLong bytes, Optional<Duration> idle) {}

    record Thing(
            UUID id,
            String name,
            boolean isPaused,
            List<Kind> kinds,
            Map<String, String> labels,
            Limits limits,
            Instant created,
            Optional<Address> address) {}

    private static final Thing FULL = new Thing(
            UUID.fromString("00000000-0000-0000-0000-000000000001"),
            "full",
            true,
            List.of(Kind.SECOND, Kind.FIRST),
            Map.of("a", "b"),
            new Limits(OptionalInt.of(3), OptionalLong.of(1L << 40), Optional.of(Duration.ofMillis(1_500))),
            TestDatabase.START,
            Optional.of(new Address("gpu.example", 443)));

    private static final Thing EMPTY = new Thing(
            UUID.fromString("00000000-0000-0000-0000-000000000002"),
            "empty",
            false,
            List.of(),
            Map.of(),
            new Limits(OptionalInt.empty(), OptionalLong.empty(), Optional.empty()),
            TestDatabase.START,
            Optional.empty());

    @AfterEach
    void close() {
        test.close();
    }

    private static void create(Sql sql) {
        sql.update(
                "CREATE TEMPORARY TABLE things (id uuid PRIMARY KEY, name text, paused boolean, kinds text[], labels jsonb,"
                        + " room int, bytes bigint, idle bigint, created_at timestamptz, host text, port int)");
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        test.database().run(sql -> {
            create(sql);
            sql.insert("things", Columns.of(FULL, COLUMNS));
            sql.insert("things", Columns.of(EMPTY, COLUMNS));

            assertEquals(List.of(FULL, EMPTY), sql.query("SELECT * FROM things ORDER BY id", Thing.class));
        });
    }

    @Test
    void aRecordThatIsPutReplacesTheOneOfItsKey() {
        test.database().run(sql -> {
            create(sql);
            sql.insert("things", Columns.of(EMPTY, COLUMNS));
            sql.put("things", Columns.of(FULL, COLUMNS.replace("id, ", "")).and("id", EMPTY.id()), "id");

            assertEquals(Optional.of("full"), sql.one("SELECT name FROM things", String.class));
        });
    }

    @Test
    void aRecordStandsForItsComponentsAmongTheValuesOfAStatement() {
        test.database().run(sql -> {
            create(sql);
            sql.insert("things", Columns.of(FULL, COLUMNS));

            assertTrue(sql.exists(
                    "SELECT 1 FROM things WHERE name = ? AND (host, port) = (?, ?) AND paused = ?",
                    "full",
                    new Address("gpu.example", 443),
                    true));
        });
    }

    @Test
    void twoColumnsOfOneNameAreRefused() {
        record Named(String name) {}
        assertRefused("SELECT 'first' AS name, 'second' AS name", Named.class, "Named.name");
    }

    @Test
    void twoColumnsThatAComponentMayHaveAreRefused() {
        record Made(Instant created) {}
        assertRefused("SELECT now() AS created, now() AS created_at", Made.class, "Made.created");
    }

    @Test
    void aColumnThatTwoComponentsMayHaveIsRefused() {
        record Used(String key, String keyId) {}
        record Inner(String name) {}
        record Outer(String name, Inner inner) {}
        assertRefused("SELECT 'a' AS key_id", Used.class, "Used.keyId");
        assertRefused("SELECT 'a' AS name", Outer.class, "Inner.name");
        assertThrows(IllegalStateException.class, () -> Columns.of(new Used("a", "b"), "key_id"));
    }

    @Test
    void aColumnOfTwoNestedRecordsIsNotWritten() {
        record Way(Address from, Address to) {}
        Way way = new Way(new Address("a", 1), new Address("b", 2));

        assertThrows(IllegalStateException.class, () -> Columns.of(way, "host"));
    }

    private void assertRefused(String statement, Class<?> type, String component) {
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> test.database().run(sql -> sql.query(statement, type)));

        assertTrue(failure.getMessage().contains(component), failure.getMessage());
    }

    @Test
    void anErrorOfAConstructorIsThrownAsItIs() {
        record Broken(int value) {
            Broken {
                throw new StackOverflowError("of the constructor");
            }
        }
        assertThrows(
                StackOverflowError.class,
                () -> test.database().run(sql -> sql.query("SELECT 1 AS value", Broken.class)));
    }

    @Test
    void nullIsNoValueOfAScalar() {
        test.database().run(sql -> assertEquals(Optional.empty(), sql.one("SELECT NULL::timestamptz", Instant.class)));
    }

    @Test
    void theSecondColumnIsFoundByTheFirst() {
        test.database()
                .run(sql -> assertEquals(
                        Map.of("a", 1, "b", 2),
                        sql.map("SELECT * FROM (VALUES ('a', 1), ('b', 2)) v", String.class, Integer.class)));
    }

    @Test
    void aMissingColumnIsNamed() {
        assertRefused("SELECT 1 AS port", Address.class, "Address.host");
    }

    @Test
    void anUnknownConstantIsTheFailureOfItsRow() {
        record Chosen(Kind kind) {}
        assertThrows(
                IllegalArgumentException.class,
                () -> test.database().run(sql -> sql.query("SELECT 'THIRD' AS kind", Chosen.class)));
    }

    @Test
    void bytesAreRead() {
        record Held(byte[] bytes) {}
        test.database()
                .run(sql -> assertArrayEquals(
                        new byte[] {1, 2},
                        sql.one("SELECT '\\x0102'::bytea AS bytes", Held.class)
                                .orElseThrow()
                                .bytes()));
    }
}

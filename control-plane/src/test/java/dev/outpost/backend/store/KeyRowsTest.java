package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.tenant.KeyScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyRowsTest {
    private static final Instant END = TestDatabase.START.plus(Duration.ofHours(12));

    private static void add(Sql sql, String id, Optional<String> subject, String createdBy, Optional<Instant> expires) {
        KeyRows.add(
                sql,
                new KeyRows.Stored(
                        id,
                        "acme",
                        Optional.empty(),
                        subject,
                        id,
                        new byte[] {1},
                        List.of(KeyScope.READ),
                        TestDatabase.START,
                        createdBy,
                        expires,
                        Optional.empty(),
                        Optional.empty(),
                        1));
    }

    private static List<String> names(Sql sql) {
        return KeyRows.page(sql, "acme", Optional.empty(), "", 100).stream()
                .map(KeyRows.Stored::id)
                .toList();
    }

    @Test
    void keysOfLoginsAreRemovedAfterTheirEndAndOthersAreKept() {
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            test.database().run(sql -> {
                Optional<String> ada = Optional.of("ada");
                add(sql, "login", ada, "ada", Optional.of(END));
                add(sql, "login-revoked", ada, "ada", Optional.of(END.plus(Duration.ofDays(90))));
                add(sql, "login-valid", ada, "ada", Optional.of(END.plus(Duration.ofDays(90))));
                add(sql, "member", ada, "k0", Optional.of(END));
                add(sql, "service", Optional.empty(), "k0", Optional.of(END));
                KeyRows.revoke(sql, "acme", "login-revoked");
                forgetLogins(sql, TestDatabase.START);
                assertEquals(5, names(sql).size());
                forgetLogins(sql, END.minusMillis(1));
                assertEquals(List.of("login", "login-valid", "member", "service"), names(sql));
                forgetLogins(sql, END.plusMillis(1));
                assertEquals(List.of("login-valid", "member", "service"), names(sql));
            });
        }
    }

    private static void forgetLogins(Sql sql, Instant before) {
        KeyRows.forgetLogins(sql, new Retention.Span(Instant.EPOCH, before, 100));
    }
}

package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.model.Limit;
import dev.outpost.backend.model.TokenPrice;
import dev.outpost.backend.model.TokenUse;
import dev.outpost.backend.store.TokenRows.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenRowsTest {
    private static final Instant START = TestDatabase.START;

    private final TestDatabase test = TestDatabase.create().withProjects("vision", "text");
    private final Database database = test.database();
    private final String organisation = Requests.of("vision", "A100").organisation();

    @AfterEach
    void close() {
        test.close();
    }

    private void add(String project, String key, Instant at, int tokens) {
        TokenUse use = new TokenUse("chat", at, 1, 2L * tokens, tokens, tokens, 3);
        database.run(sql -> TokenRows.add(sql, organisation, project, key, use, 7));
    }

    @Test
    void aBatchIsNewOnceAndAnotherOneOfItsIdIsTold() {
        UUID id = UUID.randomUUID();
        byte[] hash = {1, 2, 3};
        assertEquals(Receipt.NEW, database.transact(sql -> TokenRows.receive(sql, organisation, id, hash)));
        assertEquals(Receipt.REPEATED, database.transact(sql -> TokenRows.receive(sql, organisation, id, hash)));
        assertEquals(Receipt.OTHER, database.transact(sql -> TokenRows.receive(sql, organisation, id, new byte[] {9})));
        test.advance(Duration.ofDays(8));
        assertEquals(Receipt.NEW, database.transact(sql -> TokenRows.receive(sql, organisation, id, hash)));
    }

    @Test
    void usesOfADayAreOneLineAndOfAProjectOneBill() {
        add("vision", "a", START, 10);
        add("vision", "a", START.plusSeconds(1), 5);
        add("vision", "b", START, 1);
        add("text", "a", START, 100);
        Instant end = START.plus(Duration.ofHours(1));
        Instant begin = START.minus(Duration.ofHours(2));
        List<TokenRows.Used> own =
                database.transact(sql -> TokenRows.byDay(sql, organisation, Optional.of("vision"), begin, end));
        assertEquals(2, own.size());
        assertEquals("a", own.getFirst().key());
        assertEquals(30, own.getFirst().use().promptTokens());
        assertEquals(15, own.getFirst().use().newTokens());
        assertEquals(6, own.getFirst().use().seconds());
        assertEquals(14, own.getFirst().nanos());
        assertEquals(
                3,
                database.transact(sql -> TokenRows.byDay(sql, organisation, Optional.empty(), begin, end))
                        .size());
        long tokens = database.transact(sql -> TokenRows.tokens(sql, organisation, Optional.empty(), begin, end));
        assertEquals(3 * 116, tokens);
    }

    @Test
    void theNarrowestOfAProjectsQuotasIsLeft() {
        assertEquals(
                Optional.empty(),
                database.transact(sql -> QuotaRows.tokensLeft(sql, organisation, "vision", sql.now())));
        add("vision", "a", START, 10);
        add("text", "a", START, 20);
        database.run(sql -> {
            QuotaRows.set(sql, organisation, Optional.of("vision"), limit(Limit.Scope.PROJECT, 100), Optional.empty());
            QuotaRows.set(sql, organisation, Optional.empty(), limit(Limit.Scope.ORGANISATION, 95), Optional.empty());
        });
        assertEquals(
                Optional.of(5L),
                database.transact(sql -> QuotaRows.tokensLeft(sql, organisation, "vision", sql.now())));
        database.run(sql -> assertEquals(
                Optional.empty(), QuotaRows.check(sql, Requests.of("vision", "A100"), sql.now()), "machines are free"));
    }

    private static Limit limit(Limit.Scope scope, long allowed) {
        return new Limit(scope, Limit.Resource.TOKENS_PER_MONTH, Optional.empty(), allowed);
    }

    @Test
    void aPriceOfTheSameDateIsReplaced() {
        TokenPrice first = new TokenPrice("chat", START, 1, 2, 3, 4);
        TokenPrice second = new TokenPrice("chat", START, 5, 6, 7, 8);
        database.run(sql -> TokenRows.set(sql, first));
        database.run(sql -> TokenRows.set(sql, second));
        assertEquals(List.of(second), database.transact(TokenRows::prices));
    }
}

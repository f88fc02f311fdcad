package dev.outpost.backend.store.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.fleet.Totals;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.model.usage.TokenPrice;
import dev.outpost.backend.model.usage.TokenUse;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.TokenRows.Receipt;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TokenRowsTest {
    private static final Instant START = TestDatabase.START;

    private final TestDatabase test = TestDatabase.create().withProjects("vision", "text");
    private final Database database = test.database();
    private final String organisation =
            MachineRequestFixtures.of("vision", "A100").organisation();

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
        LocalDate day = LocalDate.ofInstant(START, ZoneOffset.UTC);
        BillRows.Days days = new BillRows.Days(day, day.plusDays(1));
        for (boolean isCounted : new boolean[] {false, true}) {
            if (isCounted) {
                count();
            }
            List<TokenRows.Used> own = page(Optional.of("vision"), days, Optional.empty(), 10);
            assertEquals(2, own.size());
            assertEquals("a", own.getFirst().key());
            assertEquals(30, own.getFirst().use().promptTokens());
            assertEquals(15, own.getFirst().use().newTokens());
            assertEquals(6, own.getFirst().use().seconds());
            assertEquals(14, own.getFirst().nanos());
            assertEquals(3, page(Optional.empty(), days, Optional.empty(), 10).size());
            assertEquals(3 * 116, tokens(Optional.empty()));
            assertEquals(3 * 16, tokens(Optional.of("vision")));
            assertEquals(28, nanos(days));
        }
        add("vision", "a", START, 1);
        assertEquals(3 * 17, tokens(Optional.of("vision")), "a text of a row that was counted");
        count();
        assertEquals(3 * 17, tokens(Optional.of("vision")));
        assertEquals(35, nanos(days));
    }

    @Test
    void aBillIsReadPageByPage() {
        for (int key = 0; key < 5; key++) {
            add("vision", "k" + key, START.plus(Duration.ofDays(key % 2)), 1);
        }
        LocalDate day = LocalDate.ofInstant(START, ZoneOffset.UTC);
        BillRows.Days days = new BillRows.Days(day, day.plusDays(2));
        List<TokenRows.Used> all = page(Optional.empty(), days, Optional.empty(), 10);
        List<TokenRows.Used> read = new ArrayList<>();
        Optional<TokenRows.Position> after = Optional.empty();
        for (int i = 0; i < 3; i++) {
            read.addAll(page(Optional.empty(), days, after, 2));
            after = Optional.of(TokenRows.Position.of(read.getLast()));
        }
        assertEquals(
                List.of("k0", "k2", "k4", "k1", "k3"),
                all.stream().map(TokenRows.Used::key).toList());
        assertEquals(all, read);
    }

    private long nanos(BillRows.Days days) {
        return database.transact(sql -> TokenRows.nanos(sql, organisation, Optional.empty(), days));
    }

    private void count() {
        new Totals(database, new FairShare(Duration.ofHours(24))).round();
    }

    private long tokens(Optional<String> project) {
        return database.transact(
                sql -> TotalRows.tokens(sql, organisation, project, BudgetPeriod.MONTH.begin(sql.now()), sql.now()));
    }

    private List<TokenRows.Used> page(
            Optional<String> project, BillRows.Days days, Optional<TokenRows.Position> after, int limit) {
        return database.transact(sql -> TokenRows.page(sql, organisation, project, days, after, limit));
    }

    @Test
    void theNarrowestOfAProjectsQuotasIsLeft() {
        assertEquals(
                Optional.empty(),
                database.transact(sql -> QuotaRows.tokensLeft(sql, organisation, "vision", sql.now())));
        add("vision", "a", START, 10);
        add("text", "a", START, 20);
        database.run(sql -> {
            QuotaRows.set(sql, organisation, Optional.of("vision"), limit(QuotaScope.PROJECT, 100), Optional.empty());
            QuotaRows.set(sql, organisation, Optional.empty(), limit(QuotaScope.ORGANISATION, 95), Optional.empty());
        });
        assertEquals(
                Optional.of(5L),
                database.transact(sql -> QuotaRows.tokensLeft(sql, organisation, "vision", sql.now())));
        database.run(sql -> assertEquals(
                Optional.empty(),
                QuotaRows.check(sql, MachineRequestFixtures.of("vision", "A100"), sql.now()),
                "machines are free"));
    }

    private static QuotaLimit limit(QuotaScope scope, long allowed) {
        return new QuotaLimit(scope, QuotaResource.TOKENS_PER_MONTH, Optional.empty(), allowed);
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

package dev.outpost.backend.store.usage;

import static dev.outpost.backend.store.TestDatabase.START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.Totals;
import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.usage.Amounts;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BillRows.Days;
import dev.outpost.backend.store.usage.BillRows.MachineDay;
import dev.outpost.rest.usage.BudgetPeriod;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Totals plus the uses that are not counted yet equal the sum over all uses of machines, whenever these are counted. */
class TotalRowsTest {
    private static final String ORGANISATION = "acme";
    private static final String GPU = "A100";
    private static final List<String> PROJECTS = List.of("vision", "text");
    private static final List<String> KEYS = List.of("", "k1", "k2");
    private static final FairShare FAIR_SHARE = new FairShare(Duration.ofHours(24));
    private static final Machines MACHINES = new Machines(MachineRequestFixtures.SETTINGS);

    private final TestDatabase test = TestDatabase.create().withProjects(PROJECTS.toArray(String[]::new));
    private final Database database = test.database();
    private final Random random = new Random(16);

    /** A use, as this test records it. */
    private record Known(String project, String key, UsageRows.Used used) {}

    @BeforeEach
    void setPrices() {
        database.run(sql -> {
            UsageRows.set(sql, new Price(GPU, Instant.EPOCH, 1_000_003));
            UsageRows.set(sql, new Price(GPU, START.minus(Duration.ofDays(20)).plusSeconds(3_601), 1_700_001));
            UsageRows.set(sql, new Price(GPU, START.plus(Duration.ofHours(5)), 999_999));
        });
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void use(boolean isOpen) {
        String project = PROJECTS.get(random.nextInt(PROJECTS.size()));
        UUID machine = MachineRequestFixtures.create(database, MACHINES, MachineRequestFixtures.of(project, GPU));
        Instant from = START.minusSeconds(random.nextInt(60 * 86_400));
        Instant to = from.plusSeconds(random.nextInt(3 * 86_400));
        database.run(sql -> {
            BudgetRows.setKey(sql, machine, KEYS.get(random.nextInt(KEYS.size())));
            sql.update(
                    "INSERT INTO usages (machine, organisation, project, gpu, gpus, from_at, to_at, began, ended)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, 'READY', ?)",
                    machine,
                    ORGANISATION,
                    project,
                    GPU,
                    1 + random.nextInt(2),
                    from,
                    isOpen ? null : to.isBefore(START) ? to : START,
                    isOpen ? null : "END_ASKED");
        });
    }

    private List<Known> known(Sql sql) {
        return sql.query(
                "SELECT u.*, m.key_id FROM usages u JOIN machines m ON m.id = u.machine",
                row -> new Known(row.text("project"), row.text("key_id"), row.as(UsageRows.Used.class)));
    }

    private static long cost(List<Known> known, Prices prices, Instant from, Instant to) {
        return known.stream()
                .map(Known::used)
                .mapToLong(used ->
                        Ledger.total(Ledger.charges(used.usage(), used.gpus(), prices.of(used.gpu()), from, to)))
                .reduce(0, Amounts::plus);
    }

    private static List<Budget> budgets() {
        return Stream.of(BudgetPeriod.values())
                .flatMap(period -> Stream.of(Optional.<String>empty(), Optional.of("vision"))
                        .flatMap(project -> Stream.of(Optional.<String>empty(), Optional.of("k1"))
                                .map(key -> new Budget(ORGANISATION, project, key, period, 1, List.of()))))
                .toList();
    }

    private void check(String when) {
        database.run(sql -> {
            Instant now = sql.now();
            List<Known> known = known(sql);
            Prices prices = UsageRows.allPrices(sql);
            TotalRows.Spending spending = TotalRows.spending(sql, ORGANISATION, budgets(), now);
            for (Budget budget : budgets()) {
                List<Known> covered = known.stream()
                        .filter(one -> budget.covers(one.project(), one.key()))
                        .toList();
                long expected = cost(covered, prices, budget.period().begin(now), now);
                assertEquals(expected, spending.of(budget), () -> when + ": " + budget.name() + " of " + budget.key());
            }
            Instant month = BudgetPeriod.MONTH.begin(now);
            for (Optional<String> project : List.of(Optional.<String>empty(), Optional.of("text"))) {
                List<Known> own = known.stream()
                        .filter(one -> project.filter(name -> !name.equals(one.project()))
                                .isEmpty())
                        .toList();
                for (Optional<String> gpu : List.of(Optional.<String>empty(), Optional.of(GPU))) {
                    assertEquals(
                            seconds(own, month, now),
                            TotalRows.gpuSeconds(sql, ORGANISATION, project, gpu, month, now),
                            when);
                }
                assertEquals(0, TotalRows.gpuSeconds(sql, ORGANISATION, project, Optional.of("L4"), month, now), when);
                checkBill(sql, project, own, prices, now, when);
            }
        });
    }

    private static long seconds(List<Known> known, Instant from, Instant to) {
        return known.stream()
                .map(Known::used)
                .mapToLong(used -> {
                    UsageInterval usage = used.usage();
                    Instant begin = usage.from().isAfter(from) ? usage.from() : from;
                    Instant end = usage.to().filter(over -> over.isBefore(to)).orElse(to);
                    return begin.isBefore(end)
                            ? used.gpus() * Duration.between(begin, end).toSeconds()
                            : 0;
                })
                .sum();
    }

    /** The counted days of a bill equal those of its pages, and so does the sum of months and days. */
    private static void checkBill(
            Sql sql, Optional<String> project, List<Known> known, Prices prices, Instant now, String when) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (Days days : List.of(
                new Days(today.minusDays(70), today.plusDays(1)), new Days(today.minusDays(33), today.minusDays(2)))) {
            Instant from = days.from().atStartOfDay(ZoneOffset.UTC).toInstant();
            Instant end = days.to().atStartOfDay(ZoneOffset.UTC).toInstant();
            Instant to = end.isBefore(now) ? end : now;
            long uncounted = TotalRows.uncounted(sql, ORGANISATION).stream()
                    .filter(one -> project.filter(
                                    name -> !name.equals(one.used().project()))
                            .isEmpty())
                    .flatMap(one -> BillRows.days(one, prices, from, to).stream())
                    .mapToLong(MachineDay::nanos)
                    .sum();
            List<MachineDay> rows = new ArrayList<>();
            Optional<BillRows.Position> after = Optional.empty();
            List<MachineDay> page = BillRows.page(sql, ORGANISATION, project, days, after, 7);
            while (!page.isEmpty()) {
                rows.addAll(page);
                after = Optional.of(page.getLast().position());
                page = BillRows.page(sql, ORGANISATION, project, days, after, 7);
            }
            long counted = rows.stream().mapToLong(MachineDay::nanos).sum();
            assertEquals(cost(known, prices, from, to), counted + uncounted, when);
            assertEquals(counted, BillRows.sum(sql, ORGANISATION, project, days).nanos(), when);
        }
    }

    private void count() {
        new Totals(database, FAIR_SHARE).round();
    }

    @Test
    void totalsEqualWhatIsComputedFromAllUses() {
        for (int i = 0; i < 25; i++) {
            use(i % 5 == 0);
        }
        check("before anything is counted");
        count();
        check("when what is over is counted");
        for (int i = 0; i < 10; i++) {
            use(false);
        }
        check("when some is counted");
        test.advance(Duration.ofHours(30));
        check("a day later");
        database.run(
                sql -> sql.update("UPDATE usages SET to_at = outpost_now(), ended = 'END_ASKED' WHERE to_at IS NULL"));
        check("when all is over");
        count();
        check("when all is counted");
        assertTrue(database.transact(TotalCounting::uncountedOrganisations).isEmpty());
        test.advance(Duration.ofDays(20));
        check("in another month");
    }

    @Test
    void sharesOfTheQueueAreTheSameCountedOrNot() {
        for (int i = 0; i < 10; i++) {
            use(i % 3 == 0);
        }
        Map<String, Double> before = shares();
        count();
        assertNear(before, shares());
        test.advance(Duration.ofHours(36));
        Map<String, Double> later = shares();
        database.run(
                sql -> sql.update("UPDATE usages SET to_at = outpost_now(), ended = 'END_ASKED' WHERE to_at IS NULL"));
        count();
        assertNear(later, shares());
    }

    private Map<String, Double> shares() {
        return database.transact(sql -> TotalRows.shares(sql, List.of(ORGANISATION), FAIR_SHARE, sql.now()));
    }

    private static void assertNear(Map<String, Double> expected, Map<String, Double> shares) {
        assertEquals(expected.keySet(), shares.keySet());
        expected.forEach((account, seconds) -> assertEquals(seconds, shares.get(account), seconds * 1e-9, account));
    }
}

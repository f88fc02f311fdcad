package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.MachineSecretRows;
import dev.outpost.backend.store.ReportRows;
import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.ShareRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.TraceRows;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.job.AttemptRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.TotalRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of machines that ended long ago are removed from all tables, and budgets still count the costs of these machines. */
class RetentionTest {
    private static final String GPU = "A100";
    private static final long RATE = 1_000;
    private static final Duration USE = Duration.ofMinutes(10);
    private static final Duration KEPT = Duration.ofDays(40);
    private static final String TOKEN = "ab".repeat(32);
    private static final String PROGRAM = "cd".repeat(32);
    private static final String KEY = "k1";

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
    private final Backend backend = new Backend(test.source(), supplier);

    /** A column that refers to machines. */
    private record Reference(String table, String column) {}

    @BeforeEach
    void addCluster() {
        backend.addCluster("host", 4);
        test.database().run(sql -> UsageRows.set(sql, new Price(GPU, Instant.EPOCH, RATE)));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private UUID start() {
        UUID id = MachineRequestFixtures.create(
                backend.database, backend.machines, MachineRequestFixtures.of("vision", GPU));
        test.database().run(sql -> BudgetRows.setKey(sql, id, KEY));
        backend.round();
        assertEquals(Phase.READY, backend.machine(id).phase());
        return id;
    }

    /** A machine that was ready for {@link #USE}. */
    private UUID useAndEnd() {
        UUID id = start();
        test.advance(USE);
        backend.end(id);
        backend.round();
        backend.round();
        assertEquals(Phase.ENDED, backend.machine(id).phase());
        return id;
    }

    private void forget() {
        new Totals(test.database(), new FairShare(Duration.ofHours(24))).round();
        for (Retention.Forgetting table : List.<Retention.Forgetting>of(
                Retention::forgetMachines, Retention::forgetActs, Retention::forgetDays, Retention::forgetTotals)) {
            Retention.run(test.database(), KEPT, table);
        }
    }

    // ---- rows

    /** Puts a row into each table that refers to machines. */
    private void refer(Sql sql, UUID machine, String name) {
        GrantRows.add(sql, machine, TOKEN, "ada", GrantTerms.ALL.withMemoryBytes(1));
        ReportRows.put(sql, List.of(new ReportRows.Report(machine, TOKEN, 1, Optional.empty(), 2, 3)));
        ShareRows.set(sql, machine, OptionalLong.of(1));
        MachineSecretRows.add(sql, machine, List.of("HF_TOKEN"));
        TraceRows.add(sql, machine, "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01");
        DeploymentRows.Key key = new DeploymentRows.Key("acme", name);
        Scale scale = new Scale(0, 1, 1, Duration.ofMinutes(5));
        DeploymentRows.insert(sql, Deployment.created("acme", "vision", name, scale, sql.now()), sql.now());
        ReplicaRows.insert(sql, key, machine, 1);
        UUID job = addJob(sql);
        JobRows.addMachine(sql, job, machine);
        sql.update("UPDATE jobs SET machine = ? WHERE id = ?", machine, job);
    }

    private static UUID addJob(Sql sql) {
        FileRows.make(sql, "acme", PROGRAM, 1);
        UUID id = UUID.randomUUID();
        JobSpec spec = new JobSpec(
                "acme",
                "vision",
                "ada",
                KEY,
                "train",
                GPU,
                PROGRAM,
                "app.jar",
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ofHours(1));
        JobRows.insert(sql, Job.created(id, spec, sql.now()));
        return id;
    }

    private static List<Reference> references(Sql sql) {
        return sql.query(
                "SELECT c.conrelid::regclass::text AS referring, a.attname AS name FROM pg_constraint c JOIN pg_attribute a"
                        + " ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]"
                        + " WHERE c.contype = 'f' AND c.confrelid = 'machines'::regclass",
                row -> new Reference(row.text("referring"), row.text("name")));
    }

    private int count(Reference of, UUID machine) {
        return test.database()
                .transact(sql -> sql.one(
                                "SELECT count(*)::int AS rows FROM " + of.table() + " WHERE " + of.column() + " = ?",
                                row -> row.integer("rows"),
                                machine)
                        .orElseThrow());
    }

    @Test
    void everyTableThatRefersToMachinesIsCleared() {
        UUID over = useAndEnd();
        test.database().run(sql -> refer(sql, over, "old"));
        test.advance(KEPT.plusMinutes(1));
        UUID young = useAndEnd();
        test.database().run(sql -> refer(sql, young, "new"));
        List<Reference> references = test.database().transact(RetentionTest::references);
        assertTrue(references.size() >= 9, references::toString);
        for (Reference of : references) {
            assertTrue(count(of, over) > 0, () -> of + " has no row in this test: add one to refer()");
        }
        forget();
        Reference machines = new Reference("machines", "id");
        assertEquals(0, count(machines, over));
        assertEquals(1, count(machines, young));
        for (Reference of : references) {
            assertEquals(0, count(of, over), of::toString);
            assertTrue(count(of, young) > 0, of::toString);
        }
    }

    @Test
    void liveMachinesAreKeptHoweverOldTheyAre() {
        Request forLong = new Request(
                "acme",
                "vision",
                "ada",
                GPU,
                1,
                1,
                Optional.of(KEPT.multipliedBy(3)),
                Optional.empty(),
                Optional.empty());
        UUID id = MachineRequestFixtures.create(backend.database, backend.machines, forLong);
        backend.round();
        test.advance(KEPT.multipliedBy(2));
        forget();
        assertEquals(Phase.READY, backend.machine(id).phase());
        assertEquals(
                1, test.database().transact(sql -> UsageRows.ofMachine(sql, id)).size());
    }

    @Test
    void lessThanAMonthIsRefused() {
        Retention.requireLongEnough(Duration.ofDays(31));
        String refusal = assertThrows(
                        IllegalArgumentException.class, () -> Retention.requireLongEnough(Duration.ofDays(30)))
                .getMessage();
        assertTrue(refusal.startsWith("keep-usage: expected 31 days or more"), refusal);
    }

    @Test
    void actsAreForgottenByTheirAge() {
        test.database().run(sql -> AuditRows.add(sql, "acme", "ada", "key.revoke", "k1", ""));
        test.advance(KEPT.plusMinutes(1));
        test.database().run(sql -> AuditRows.add(sql, "acme", "ada", "key.create", "k2", ""));
        forget();
        assertEquals(
                List.of("key.create"),
                test.database().transact(sql -> sql.query("SELECT action FROM audit", row -> row.text("action"))));
    }

    private long contents() {
        return test.database()
                .transact(sql -> sql.one(
                                "SELECT (SELECT count(*) FROM contents) + (SELECT count(*) FROM content_parts) AS rows",
                                row -> row.number("rows"))
                        .orElseThrow());
    }

    /** An ended job whose run has printed output and left a file. */
    private void runJob() {
        test.database().run(sql -> {
            UUID id = addJob(sql);
            Job job = JobRows.find(sql, id).orElseThrow();
            AttemptRows.add(sql, job, 1, UUID.randomUUID());
            UUID log = AttemptRows.find(sql, id, 1).orElseThrow().log();
            ContentRows.append(sql, log, 0, new byte[] {1, 2});
            ContentRows.append(sql, AttemptRows.artefact(sql, job, 1, "weights"), 0, new byte[] {3});
            FileRows.Stored program = FileRows.find(sql, "acme", PROGRAM).orElseThrow();
            ContentRows.append(sql, program.content(), 0, new byte[] {4});
            sql.update("UPDATE jobs SET phase = 'SUCCEEDED', due_at = NULL, since = ? WHERE id = ?", sql.now(), id);
        });
    }

    private void forgetJobs() {
        Retention.run(test.database(), KEPT, AttemptRows::forget);
        Retention.run(test.database(), KEPT, FileRows::forget);
        Retention.run(test.database(), Duration.ofSeconds(-1), ContentRows::forget);
    }

    private long stored() {
        return test.database().transact(sql -> TotalRows.bytes(sql, "acme"));
    }

    @Test
    void jobsAreForgottenWithLogsAndFilesAndThenTheirPrograms() {
        runJob();
        test.advance(KEPT.plusMinutes(1));
        runJob();
        assertEquals(5 * 2, contents(), "two logs, two files and one program, each with a part");
        assertEquals(7, stored());
        forgetJobs();
        assertEquals(3 * 2, contents(), "the young job is kept, and so is its program");
        assertEquals(4, stored(), "what is not counted is not given back");
        new Totals(test.database(), new FairShare(Duration.ofHours(24))).round();
        assertEquals(4, stored());
        test.advance(KEPT.plusMinutes(1));
        forgetJobs();
        assertEquals(0, contents());
        assertEquals(0, stored(), "what is counted is given back");
    }

    @Test
    void aRemovedWebhookIsGoneAtOnceAndItsDeliveriesSomeAtATime() {
        UUID id = UUID.randomUUID();
        test.database().run(sql -> {
            sql.update(
                    "INSERT INTO webhooks (id, organisation, url, types, key_name, sealed) VALUES (?, 'acme', 'x', '{}', 'k', 'x')",
                    id);
            sql.update(
                    "INSERT INTO webhook_deliveries (webhook, event, type, body, due_at)"
                            + " SELECT ?, gen_random_uuid(), 'x', '{}', outpost_now() FROM generate_series(1, 450)",
                    id);
            WebhookRows.remove(sql, id);
        });
        assertEquals(Optional.empty(), test.database().transact(sql -> WebhookRows.find(sql, id)));
        assertEquals(List.of(), test.database().transact(WebhookRows::organisationsDue));
        assertEquals(250, count(new Reference("webhook_deliveries", "webhook"), id));
        Retention.run(test.database(), Duration.ofSeconds(-1), WebhookRows::forgetRemoved);
        assertEquals(0, count(new Reference("webhook_deliveries", "webhook"), id));
        assertEquals(0, count(new Reference("webhooks", "id"), id));
    }

    // ---- money

    private static Budget budget(BudgetPeriod period, Optional<String> project, Optional<String> key) {
        return new Budget(
                "acme", project, key, period, 1_000_000_000, List.of(new BudgetThreshold(100, BudgetAction.END)));
    }

    private long spent(Budget budget) {
        return test.database().transact(sql -> BudgetRows.spent(sql, budget, sql.now()));
    }

    @Test
    void budgetsForALifetimeStillCountForgottenMachines() {
        long cost = RATE * USE.toSeconds();
        useAndEnd();
        useAndEnd();
        test.advance(KEPT.plusHours(1));
        useAndEnd();
        for (int time = 0; time < 2; time++) {
            forget();
            assertEquals(3 * cost, spent(budget(BudgetPeriod.LIFETIME, Optional.empty(), Optional.empty())));
            assertEquals(3 * cost, spent(budget(BudgetPeriod.LIFETIME, Optional.of("vision"), Optional.of(KEY))));
            assertEquals(0, spent(budget(BudgetPeriod.LIFETIME, Optional.of("speech"), Optional.empty())));
            assertEquals(0, spent(budget(BudgetPeriod.LIFETIME, Optional.empty(), Optional.of("k2"))));
            assertEquals(cost, spent(budget(BudgetPeriod.DAY, Optional.empty(), Optional.empty())));
        }
    }

    @Test
    void forgottenMachinesCostWhatTheyDidAtThePricesOfTheirTime() {
        useAndEnd();
        long before = spent(budget(BudgetPeriod.LIFETIME, Optional.empty(), Optional.empty()));
        test.advance(Duration.ofDays(1));
        test.database().run(sql -> UsageRows.set(sql, new Price(GPU, sql.now(), 7 * RATE)));
        test.advance(KEPT);
        forget();
        assertEquals(before, spent(budget(BudgetPeriod.LIFETIME, Optional.empty(), Optional.empty())));
    }
}

package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.backend.model.job.Cron;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobSchedule;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.model.usage.Budget;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.MachineRequestFixtures;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.RowFailures;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.job.ScheduleRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.BudgetRows;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.job.Missed;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.usage.BudgetAction;
import dev.outpost.rest.usage.BudgetPeriod;
import dev.outpost.rest.usage.BudgetThreshold;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A row that fails waits, longer each time, and is reported. Later rows are worked on in the same round. */
class FailingRowsTest {
    private static final String PROGRAM = "ab".repeat(32);

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Backend backend =
            new Backend(test.source(), new PaperSupplier(new DatabaseClock(test.database()), true));
    private final Database database = backend.database;

    @AfterEach
    void close() {
        test.close();
    }

    private List<RowFailures.Failure> failures() {
        return database.transact(sql -> RowFailures.page(sql, "", "", 10));
    }

    private void assertFailed(String loop, String row, int times) {
        List<RowFailures.Failure> failures = failures();
        assertEquals(1, failures.size(), failures::toString);
        assertEquals(loop, failures.getFirst().loop());
        assertEquals(row, failures.getFirst().row());
        assertEquals(times, failures.getFirst().failures());
    }

    private void update(String statement, Object... values) {
        database.run(sql -> sql.update(statement, values));
    }

    private static JobSpec spec(String name) {
        return new JobSpec(
                "acme",
                "vision",
                "ada",
                "key",
                name,
                "A100",
                PROGRAM,
                "a.jar",
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ofHours(1));
    }

    private void addProgram() {
        database.run(sql -> sql.update(
                "INSERT INTO files (organisation, sha256, size, complete, content) VALUES ('acme', ?, 1, true, ?)",
                PROGRAM,
                ContentRows.create(sql, "acme")));
    }

    private UUID job(String name) {
        UUID id = UUID.randomUUID();
        database.run(sql -> JobRows.insert(sql, Job.created(id, spec(name), sql.now())));
        test.advance(Duration.ofMillis(1));
        return id;
    }

    private JobPhase phase(UUID job) {
        return database.transact(sql -> JobRows.find(sql, job)).orElseThrow().phase();
    }

    @Test
    void jobThatCannotBeReadHoldsUpNoOther() {
        backend.addCluster("host", 4);
        addProgram();
        UUID broken = job("broken");
        UUID other = job("other");
        JobPhase before = phase(other);
        update("UPDATE jobs SET phase = 'NONE' WHERE id = ?", broken);
        backend.jobs.round();
        assertTrue(phase(other) != before);
        assertFailed("jobs", broken.toString(), 1);
    }

    @Test
    void pausesGrowAndEndWithASuccess() {
        addProgram();
        UUID broken = job("broken");
        update("UPDATE jobs SET phase = 'NONE' WHERE id = ?", broken);
        backend.jobs.round();
        backend.jobs.round();
        assertFailed("jobs", broken.toString(), 1);
        test.advance(Duration.ofSeconds(2));
        backend.jobs.round();
        assertFailed("jobs", broken.toString(), 2);
        test.advance(Duration.ofSeconds(2));
        backend.jobs.round();
        assertFailed("jobs", broken.toString(), 2);
        for (int i = 0; i < 12; i++) {
            test.advance(Duration.ofMinutes(10));
            backend.jobs.round();
        }
        assertFailed("jobs", broken.toString(), 14);
        Instant now = database.transact(Sql::now);
        assertEquals(now.plus(Duration.ofMinutes(10)), failures().getFirst().retry());
        update("UPDATE jobs SET phase = 'WAITING' WHERE id = ?", broken);
        test.advance(Duration.ofMinutes(10));
        backend.jobs.round();
        assertEquals(List.of(), failures());
    }

    @Test
    void scheduleWhoseZoneIsUnknownHoldsUpNoOther() {
        addProgram();
        for (String name : List.of("broken", "other")) {
            database.run(sql -> ScheduleRows.put(
                    sql,
                    new JobSchedule(
                            name,
                            1,
                            new Cron("* * * * *", "UTC"),
                            Missed.SKIP,
                            false,
                            false,
                            spec(name),
                            Optional.of(sql.now()),
                            Optional.empty(),
                            "")));
            test.advance(Duration.ofMillis(1));
        }
        update("UPDATE schedules SET zone = 'Nowhere/None' WHERE name = 'broken'");
        new Schedules(database, new Wakeups()).round();
        assertTrue(database.transact(sql -> ScheduleRows.find(sql, "acme", "other"))
                .orElseThrow()
                .lastJob()
                .isPresent());
        assertFailed("schedules", "acme/broken", 1);
    }

    @Test
    void poolThatCannotBeReadHoldsUpNoOther() {
        for (String name : List.of("broken", "other")) {
            database.run(sql -> PoolRows.insert(
                    sql,
                    new Pool(
                            name,
                            1,
                            "A100",
                            1,
                            1,
                            Duration.ZERO,
                            Duration.ofMinutes(1),
                            false,
                            0,
                            Optional.empty(),
                            sql.now(),
                            ""),
                    sql.now()));
            test.advance(Duration.ofMillis(1));
        }
        update("UPDATE pools SET lease = 1 WHERE name = 'broken'");
        backend.pools.round();
        assertEquals(1, database.transact(sql -> PoolRows.members(sql, "other")).size());
        assertFailed("pools", "broken", 1);
    }

    /** Each gateway may report this demand; the sum did not fit an int. */
    @Test
    void deploymentWithTheMostDemandOfManyGatewaysIsScaled() {
        backend.addCluster("host", 4);
        DeploymentRows.Key key = new DeploymentRows.Key("acme", "chat");
        database.run(sql -> {
            Deployment row =
                    Deployment.created("acme", "vision", "chat", new Scale(0, 2, 1, Duration.ofMinutes(5)), sql.now());
            DeploymentRows.insert(sql, row, sql.now());
            DeploymentRows.addRevision(sql, key, "file:/model", "A100", Optional.empty(), "key");
            ReplicaRows.demand(sql, key, "one", Integer.MAX_VALUE, sql.now());
            ReplicaRows.demand(sql, key, "two", Integer.MAX_VALUE, sql.now());
        });
        backend.deployments.round();
        assertEquals(2, database.transact(sql -> ReplicaRows.of(sql, key)).size());
        assertEquals(List.of(), failures());
    }

    @Test
    void deploymentWithoutItsRevisionHoldsUpNoOther() {
        backend.addCluster("host", 4);
        for (String name : List.of("broken", "other")) {
            DeploymentRows.Key key = new DeploymentRows.Key("acme", name);
            database.run(sql -> {
                DeploymentRows.insert(
                        sql,
                        Deployment.created(
                                "acme", "vision", name, new Scale(1, 1, 1, Duration.ofMinutes(5)), sql.now()),
                        sql.now());
                if (!name.equals("broken")) {
                    DeploymentRows.addRevision(sql, key, "file:/model", "A100", Optional.empty(), "key");
                }
            });
            test.advance(Duration.ofMillis(1));
        }
        backend.deployments.round();
        assertEquals(
                1,
                database.transact(sql -> ReplicaRows.of(sql, new DeploymentRows.Key("acme", "other")))
                        .size());
        assertFailed("deployments", "acme/broken", 1);
    }

    /** The sum of the costs of its machines does not fit a number of the database. */
    @Test
    void organisationWhoseBudgetCannotBeSummedHoldsUpNoOther() {
        backend.addCluster("host", 4);
        database.run(sql -> {
            TenantRows.addOrganisation(sql, "zoo");
            TenantRows.addProject(sql, "zoo", "vision", 0);
            UsageRows.set(sql, Price.perHour("A100", TestDatabase.START, new BigDecimal("3.6")));
            for (String organisation : List.of("acme", "zoo")) {
                BudgetRows.set(
                        sql,
                        new Budget(
                                organisation,
                                Optional.empty(),
                                Optional.empty(),
                                BudgetPeriod.DAY,
                                1,
                                List.of(new BudgetThreshold(100, BudgetAction.END))),
                        Optional.empty());
            }
        });
        MachineRequestFixtures.create(database, backend.machines, MachineRequestFixtures.of("acme", "vision", "A100"));
        UUID other = MachineRequestFixtures.create(
                database, backend.machines, MachineRequestFixtures.of("zoo", "vision", "A100"));
        update("UPDATE budgets SET thresholds = '{broken}' WHERE organisation = 'acme'");
        new Budgets(database, backend.machines, new Wakeups(), Duration.ofHours(1), Duration.ofSeconds(5), 20).round();
        assertEquals(Phase.ENDED, backend.machine(other).phase(), "its budget is used up");
        assertFailed("budgets", "acme", 1);
    }

    @Test
    void secretThatCannotBeOpenedHoldsUpNoOther() {
        SecureRandom random = new SecureRandom();
        String lost = SealKeys.draw(random);
        String old = SealKeys.draw(random);
        String present = SealKeys.draw(random);
        seal(new SealKeys(lost, random), "BROKEN");
        seal(new SealKeys(old, random), "OTHER");
        SealKeys seals = new SealKeys(present + "," + old, random);
        new Resealing(database, seals).round();
        assertEquals(
                seals.current(),
                database.transact(sql -> SecretRows.find(sql, "acme", "vision", "OTHER"))
                        .orElseThrow()
                        .value()
                        .keyName());
        assertFailed("reseal-secrets", "acme/vision/BROKEN", 1);
    }

    private void seal(SealKeys seals, String name) {
        database.run(sql -> SecretRows.put(
                sql,
                "acme",
                "vision",
                name,
                seals.seal(SecretRows.place("acme", "vision", name), "value".getBytes(StandardCharsets.UTF_8)),
                Optional.empty()));
    }

    @Test
    void machineThatCannotBeReadHoldsUpNoOther() {
        backend.addCluster("host", 4);
        UUID broken =
                MachineRequestFixtures.create(database, backend.machines, MachineRequestFixtures.of("vision", "A100"));
        backend.admission.admit();
        update("UPDATE machines SET gpus = 0 WHERE id = ?", broken);
        test.advance(Duration.ofMillis(1));
        UUID other =
                MachineRequestFixtures.create(database, backend.machines, MachineRequestFixtures.of("vision", "A100"));
        backend.round();
        assertEquals(Phase.READY, backend.machine(other).phase());
        assertEquals(
                List.of("driver", "observer"),
                failures().stream().map(RowFailures.Failure::loop).toList());
        test.advance(Duration.ofMinutes(5));
        backend.observe();
        update("UPDATE machines SET gpus = 1 WHERE id = ?", broken);
        backend.round();
        assertEquals(Phase.READY, backend.machine(broken).phase(), "its machine was left alone");
    }
}

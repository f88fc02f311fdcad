package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.usage.QuotaRecount;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.PaperSupplier;
import dev.outpost.rest.job.JobPhase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A job is run, with the backend killed at each point between a commit and a call. Its runners keep asking, and the next replica continues
 * from the rows: the program is started as often as the job demands, never in two places, and no machine is left over.
 */
class JobCrashTest {
    private static final int MAX_POINTS = 400;
    private static final int MIN_POINTS = 15;
    private static final int ROUNDS = 25;
    private static final String PROGRAM = "ab".repeat(32);

    /** A runner, which outlives the backend and repeats requests that got no answer. */
    private static final class Runner {
        private final UUID id = UUID.randomUUID();
        private final UUID machine;
        private boolean hasStarted;
        private boolean isDone;

        private Runner(UUID machine) {
            this.machine = machine;
        }

        /** Returns true if the runner starts the program now. */
        boolean work(Backend backend, int code) {
            if (isDone) {
                return false;
            }
            if (!hasStarted) {
                hasStarted = begin(backend);
                return hasStarted;
            }
            exit(backend, code);
            return false;
        }

        private boolean begin(Backend backend) {
            Jobs.Beginning answer =
                    backend.database.transact(sql -> backend.jobs.begin(sql, machine, id, "cd".repeat(32)));
            isDone = answer instanceof Jobs.Beginning.Over;
            return answer instanceof Jobs.Beginning.Begun;
        }

        private void exit(Backend backend, int code) {
            backend.database.run(sql -> JobRows.lockOf(sql, machine)
                    .ifPresent(row -> backend.jobs.apply(
                            sql,
                            row,
                            new JobObservation.Exited(machine, id, code, false, "its program ended with " + code))));
            isDone = true;
        }
    }

    /** The machines and runners outside the backend. */
    private static final class World {
        private final PaperSupplier supplier;
        private final Map<MachineRef, Runner> runners = new HashMap<>();
        private int starts;

        private World(PaperSupplier supplier) {
            this.supplier = supplier;
        }

        void work(Backend backend, int code) {
            for (MachineObservation one : supplier.open("test", Map.of()).list()) {
                if (supplier.desired(one.machine()).job().isPresent()) {
                    runners.computeIfAbsent(one.machine(), ref -> new Runner(UUID.fromString(ref.id())));
                }
            }
            for (Runner runner : runners.values()) {
                starts += runner.work(backend, code) ? 1 : 0;
            }
        }
    }

    /** Kills at some of the points, with each kind of end. */
    @ParameterizedTest
    @CsvSource({"0, 0, 1, SUCCEEDED, 11", "0, 1, 1, FAILED, 23", "1, 1, 2, FAILED, 23"})
    void killsAtSomePointsRunAProgramNotMoreOftenThanAskedFor(int retries, int code, int runs, JobPhase end, int step) {
        killAt(1, step, retries, code, runs, end);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1, SUCCEEDED", "0, 1, 1, FAILED", "1, 1, 2, FAILED"})
    @Tag("full")
    void noKillRunsAProgramMoreOftenThanAskedFor(int retries, int code, int runs, JobPhase end) {
        killAt(1, 1, retries, code, runs, end);
    }

    /** Kills at every {@code step}-th point, until a point is not reached any more. */
    private static void killAt(int first, int step, int retries, int code, int runs, JobPhase end) {
        int point = first;
        try (TestDatabase test = TestDatabase.create().withProjects("vision")) {
            addProgram(test);
            while (point < MAX_POINTS && runWithCrash(test, point, retries, code, runs, end)) {
                point += step;
            }
        }
        assertTrue(point > MIN_POINTS && point < MAX_POINTS, point + " points were reached");
    }

    private static void addProgram(TestDatabase test) {
        test.database().run(sql -> {
            FileRows.Stored file = FileRows.make(sql, "acme", PROGRAM, 1);
            ContentRows.append(sql, file.content(), 0, new byte[1]);
            FileRows.complete(sql, "acme", PROGRAM);
        });
    }

    /** Returns true if that point was reached. */
    private static boolean runWithCrash(TestDatabase test, int fatal, int retries, int code, int runs, JobPhase end) {
        PaperSupplier supplier = new PaperSupplier(new DatabaseClock(test.database()), true);
        World world = new World(supplier);
        CrashPoints points = new CrashPoints(fatal);
        Backend doomed = new Backend(points.source(test.source()), points.provider(supplier));
        Backend next = new Backend(test.source(), supplier);
        next.addCluster("host", 4);
        UUID id = UUID.randomUUID();
        boolean isKilled = Crash.isKilled(() -> {
            ask(doomed, id, retries);
            for (int round = 0; round < ROUNDS && !isOver(next, world, id); round++) {
                test.advance(Duration.ofSeconds(3));
                round(doomed, world, code);
            }
        });
        ask(next, id, retries);
        for (int round = 0; round < ROUNDS && !isOver(next, world, id); round++) {
            test.advance(Backend.LOCK.plusSeconds(1));
            round(next, world, code);
        }
        String where = points.last();
        Job job = next.database.transact(sql -> JobRows.find(sql, id)).orElseThrow();
        assertEquals(end, job.phase(), () -> job + ", killed " + where);
        assertEquals(runs, job.attempt(), where);
        assertEquals(runs, world.starts, where);
        assertEquals(List.of(), supplier.open("test", Map.of()).list(), where);
        assertEquals(next.database.transact(QuotaRecount::of), next.database.transact(QuotaRows::counters), where);
        return isKilled;
    }

    private static boolean isOver(Backend next, World world, UUID id) {
        return next.database
                        .transact(sql -> JobRows.find(sql, id))
                        .filter(job -> job.phase().isOver())
                        .isPresent()
                && world.supplier.open("test", Map.of()).list().isEmpty();
    }

    private static void round(Backend backend, World world, int code) {
        backend.jobs.round();
        backend.round();
        world.work(backend, code);
    }

    private static void ask(Backend backend, UUID id, int retries) {
        JobSpec spec = new JobSpec(
                "acme",
                "vision",
                "ada",
                "k1",
                "train",
                "A100",
                PROGRAM,
                "app.jar",
                List.of(),
                Map.of(),
                List.of(),
                retries,
                Duration.ofHours(1));
        backend.database.run(sql -> JobRows.insert(sql, Job.created(id, spec, sql.now())));
    }
}

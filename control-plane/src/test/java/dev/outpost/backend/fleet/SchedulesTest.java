package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.job.Cron;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobSchedule;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.job.ScheduleRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.job.Missed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the jobs that schedules create. */
class SchedulesTest {
    private static final String PROGRAM = "ab".repeat(32);
    private static final Instant DUE = TestDatabase.START.plus(Duration.ofHours(1));

    private final TestDatabase test = TestDatabase.create().withProjects("vision");
    private final Schedules schedules = new Schedules(test.database(), new Wakeups());

    @BeforeEach
    void addPrograms() {
        test.database().run(sql -> {
            TenantRows.addOrganisation(sql, "mallory");
            TenantRows.addProject(sql, "mallory", "vision", 0);
            addProgram(sql, "acme");
            addProgram(sql, "mallory");
            ScheduleRows.put(
                    sql,
                    new JobSchedule(
                            "nightly",
                            1,
                            new Cron("0 * * * *", "UTC"),
                            Missed.ONCE,
                            false,
                            false,
                            spec("acme"),
                            Optional.of(DUE),
                            Optional.empty(),
                            ""));
        });
    }

    @AfterEach
    void close() {
        test.close();
    }

    private static void addProgram(Sql sql, String organisation) {
        FileRows.Stored file = FileRows.make(sql, organisation, PROGRAM, 1);
        ContentRows.append(sql, file.content(), 0, new byte[1]);
        FileRows.complete(sql, organisation, PROGRAM);
    }

    private static JobSpec spec(String organisation) {
        return new JobSpec(
                organisation,
                "vision",
                "ada",
                "k1",
                "nightly",
                "A100",
                PROGRAM,
                "app.jar",
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ofHours(1));
    }

    private JobSchedule schedule() {
        return test.database()
                .transact(sql -> ScheduleRows.lock(sql, "acme", "nightly"))
                .orElseThrow();
    }

    /** The id of a job was once derived from names that others may know. */
    @Test
    void nobodyTakesTheIdOfAJobToCome() {
        UUID guessed = UUID.nameUUIDFromBytes(("acme/nightly/1/" + DUE).getBytes(StandardCharsets.UTF_8));
        test.database().run(sql -> assertTrue(JobRows.insert(sql, Job.created(guessed, spec("mallory"), sql.now()))));
        test.advance(Duration.ofHours(1));
        schedules.round();
        UUID made = schedule().lastJob().orElseThrow();
        Job job = test.database().transact(sql -> JobRows.find(sql, made)).orElseThrow();
        assertEquals("acme", job.spec().organisation());
    }

    @Test
    void archivedProjectMakesNoJobs() {
        test.database().run(sql -> {
            TenantRows.Project project =
                    TenantRows.project(sql, "acme", "vision").orElseThrow();
            TenantRows.updateProject(
                    sql,
                    new TenantRows.Project(
                            project.organisation(),
                            project.name(),
                            project.priority(),
                            project.created(),
                            Optional.of(sql.now()),
                            project.version()));
        });
        test.advance(Duration.ofHours(1));
        schedules.round();
        assertEquals(Optional.empty(), schedule().lastJob());
        assertEquals("its project is archived, so no job was made", schedule().text());
        assertEquals(Optional.of(DUE.plus(Duration.ofHours(1))), schedule().next());
    }
}

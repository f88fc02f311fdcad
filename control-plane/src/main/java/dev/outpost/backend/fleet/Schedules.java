package dev.outpost.backend.fleet;

import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobSchedule;
import dev.outpost.backend.model.job.SchedulePlan;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.job.JobRows;
import dev.outpost.backend.store.job.ScheduleRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes the jobs of schedules that are due. A job and the time of the next job are written in one transaction, so
 * each time gets one job.
 */
public final class Schedules {
    private final RowWork rows;
    private final Wakeups wakeups;

    public Schedules(Database database, Wakeups wakeups) {
        this.rows = new RowWork(database, ScheduleRows.LOOP);
        this.wakeups = wakeups;
    }

    public void round() {
        rows.drain(ScheduleRows::lockDue, ScheduleRows.Key::text, this::step);
    }

    private void step(Sql sql, ScheduleRows.Key key) {
        JobSchedule row = ScheduleRows.find(sql, key.organisation(), key.name()).orElseThrow();
        boolean isBusy = row.lastJob()
                .flatMap(id -> JobRows.find(sql, id))
                .filter(job -> !job.phase().isOver())
                .isPresent();
        SchedulePlan plan = SchedulePlan.of(row, isBusy, sql.now());
        boolean isArchived = TenantRows.project(
                        sql, row.spec().organisation(), row.spec().project())
                .flatMap(TenantRows.Project::archived)
                .isPresent();
        List<UUID> made = isArchived
                ? List.of()
                : plan.times().stream().map(_ -> make(sql, row)).toList();
        ScheduleRows.follow(
                sql,
                row.after(
                        plan.next(),
                        made.isEmpty() ? Optional.empty() : Optional.of(made.getLast()),
                        isArchived ? "its project is archived, so no job was made" : plan.text()));
        if (!made.isEmpty()) {
            wakeups.jobs();
        }
    }

    /**
     * Inserts a job of the schedule. This transaction has locked the schedule's row and sets its next time, so each
     * time gets one job. The job's id is random, so it cannot be guessed.
     */
    private static UUID make(Sql sql, JobSchedule row) {
        UUID id = UUID.randomUUID();
        if (!JobRows.insert(sql, Job.created(id, row.spec(), sql.now()))) {
            throw new IllegalStateException("schedule " + row.name() + ": there is a job " + id);
        }
        return id;
    }
}

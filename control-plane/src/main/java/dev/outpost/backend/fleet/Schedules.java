package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Job;
import dev.outpost.backend.model.Schedule;
import dev.outpost.backend.model.SchedulePlan;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.JobRows;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.ScheduleRows;
import dev.outpost.backend.store.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes the jobs of schedules that are due. Jobs and the next time are written in one transaction, so a time has one job. */
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
        Schedule row = ScheduleRows.find(sql, key.organisation(), key.name()).orElseThrow();
        boolean isBusy = row.lastJob()
                .flatMap(id -> JobRows.find(sql, id))
                .filter(job -> !job.phase().isOver())
                .isPresent();
        SchedulePlan plan = SchedulePlan.of(row, isBusy, sql.now());
        List<UUID> made =
                plan.times().stream().map(time -> make(sql, row, time)).toList();
        ScheduleRows.follow(
                sql,
                row.after(plan.next(), made.isEmpty() ? Optional.empty() : Optional.of(made.getLast()), plan.text()));
        if (!made.isEmpty()) {
            wakeups.jobs();
        }
    }

    private static UUID make(Sql sql, Schedule row, Instant time) {
        UUID id = SchedulePlan.job(row, time);
        JobRows.insert(sql, Job.created(id, row.spec(), sql.now()));
        return id;
    }
}

package dev.outpost.backend.fleet;

import dev.outpost.backend.store.ClockRows;
import dev.outpost.backend.store.Database;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Notices that the database's clock has gone back, as after a failover to a host whose clock is wrong. Rows that wait for a time by the
 * clock before would wait for longer: nothing would be started, ended or repeated until then. Safe for use by many threads and replicas.
 */
public final class ClockSteps {
    private static final Logger LOG = Logger.getLogger(ClockSteps.class);

    /** More than clocks are slewed by between two looks. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final Database database;

    public ClockSteps(Database database) {
        this.database = database;
    }

    /** Looks at the clock. Of several replicas, the first one acts. */
    public void round() {
        Duration step = database.transact(sql -> {
            Duration back = ClockRows.note(sql);
            if (back.compareTo(SHORTEST) >= 0) {
                ClockRows.bringForward(sql, back);
            }
            return back;
        });
        if (step.compareTo(SHORTEST) >= 0) {
            LOG.warnf(
                    "the database's clock has gone back by %s; what waited for a time by it waits no longer for that."
                            + " Check the time service of the database's host",
                    step);
        }
    }
}

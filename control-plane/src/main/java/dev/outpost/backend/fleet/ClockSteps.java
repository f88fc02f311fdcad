package dev.outpost.backend.fleet;

import dev.outpost.backend.store.ClockRows;
import dev.outpost.backend.store.sql.Database;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Detects that the database's clock was set back, for example after a failover to a host with a wrong clock. Rows
 * that wait for a time of the old clock would wait too long: nothing would start, end or be repeated until then.
 * Thread-safe, and safe for several replicas.
 */
public final class ClockSteps {
    private static final Logger LOG = Logger.getLogger(ClockSteps.class);

    /** The shortest step of the clock that counts. A slewed clock makes smaller steps between two checks. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final Database database;

    public ClockSteps(Database database) {
        this.database = database;
    }

    /** Checks the clock. If several replicas see a step, only the first replica acts. */
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

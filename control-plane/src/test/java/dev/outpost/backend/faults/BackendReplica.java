package dev.outpost.backend.faults;

import dev.outpost.backend.fleet.Backend;
import dev.outpost.backend.fleet.ClockSteps;
import dev.outpost.backend.fleet.Crash;
import dev.outpost.backend.store.usage.QuotaRows;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** One replica of the backend without its threads, and the faults that are planned for it. */
final class BackendReplica {
    /** The beginning of the text of every injected failure. */
    static final String INJECTED = "injected: ";

    private static final String CONNECTION_FAILURE = "08006";
    private static final String DISK_FULL = "53100";
    private static final int NONE = Integer.MAX_VALUE;

    /** The loops of a replica. */
    enum Loop {
        CLOCK,
        ADMISSION,
        DRIVER,
        OBSERVER,
        POOLS,
        JOBS,
        DEPLOYMENTS,
        BUDGETS,
        QUOTAS
    }

    private final World world;
    private final int number;
    private final BooleanSupplier isDiskFull;
    private final Backend backend;
    private boolean isDead;
    private int pointsToKill = NONE;
    private int pointsToPause = NONE;
    private int pausedSteps;
    private int commitsToBreak = NONE;
    private boolean isBrokenCommitDone;

    BackendReplica(World world, int number, DataSource source, Hosts hosts, BooleanSupplier isDiskFull) {
        this.world = world;
        this.number = number;
        this.isDiskFull = isDiskFull;
        this.backend = new Backend(
                source(source),
                hosts.of(this),
                Invariants.HORIZON,
                () -> Duration.between(Instant.EPOCH, world.now()).toNanos());
    }

    Backend backend() {
        return backend;
    }

    boolean isAlive() {
        return !isDead;
    }

    // ---- faults

    void killAt(int points) {
        pointsToKill = points;
        if (points == 0) {
            isDead = true;
        }
    }

    void pauseAt(int points, int steps) {
        pointsToPause = Math.max(1, points);
        pausedSteps = steps;
    }

    void breakCommit(int commits, boolean isDone) {
        commitsToBreak = Math.max(1, commits);
        isBrokenCommitDone = isDone;
    }

    void heal() {
        pointsToKill = NONE;
        pointsToPause = NONE;
        commitsToBreak = NONE;
    }

    /**
     * Marks a point at which the process may be killed or may pause for a while.
     *
     * @param mayPause true if no transaction is open
     */
    void pass(String where, boolean mayPause) {
        requireAlive(where);
        if (pointsToKill != NONE && --pointsToKill <= 0) {
            isDead = true;
        }
        requireAlive(where);
        if (pointsToPause != NONE) {
            pointsToPause--;
            if (pointsToPause <= 0 && mayPause) {
                pointsToPause = NONE;
                world.meanwhile(pausedSteps);
                requireAlive(where);
            }
        }
    }

    private void requireAlive(String where) {
        if (isDead) {
            throw new Crash("replica " + number + " " + where);
        }
    }

    // ---- work

    void round() {
        for (Loop loop : Loop.values()) {
            work(loop);
        }
        work(Loop.DRIVER);
    }

    /** Runs one round of a loop. The loop would log a failure. */
    void work(Loop loop) {
        if (!isDead) {
            world.attempt(this, () -> run(loop));
        }
    }

    private void run(Loop loop) {
        switch (loop) {
            case ADMISSION -> backend.admission.admit();
            case DRIVER -> backend.drive();
            case OBSERVER -> backend.observe();
            case POOLS -> backend.pools.round();
            case JOBS -> backend.jobs.round();
            case DEPLOYMENTS -> backend.deployments.round();
            case BUDGETS -> backend.budgets.round();
            case QUOTAS -> QuotaRows.fold(backend.database);
            case CLOCK -> new ClockSteps(backend.database).round();
        }
    }

    // ---- the database as the replica has it

    private DataSource source(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                BackendReplica.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    Object answer = invoke(source, method, arguments);
                    return answer instanceof Connection connection ? connection(connection) : answer;
                });
    }

    private Connection connection(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                BackendReplica.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("commit")) {
                        return invoke(connection, method, arguments);
                    }
                    commit(connection);
                    return null;
                });
    }

    private void commit(Connection connection) throws SQLException {
        pass("before a commit", false);
        if (isDiskFull.getAsBoolean()) {
            throw new SQLException(INJECTED + "no space is left on the device", DISK_FULL);
        }
        boolean isBroken = commitsToBreak != NONE && --commitsToBreak <= 0;
        if (isBroken) {
            commitsToBreak = NONE;
            if (isBrokenCommitDone) {
                connection.commit();
            } else {
                connection.rollback();
            }
            throw new SQLException(INJECTED + "the database was killed", CONNECTION_FAILURE);
        }
        connection.commit();
        // The connection goes back to its pool after this point, so nothing is locked.
        pass("after a commit", true);
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}

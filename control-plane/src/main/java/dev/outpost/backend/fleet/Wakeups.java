package dev.outpost.backend.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Wakes the loops of this replica when there is something to do for them; those of others find it within their periods. */
public final class Wakeups {
    static final String DRIVER = "driver";
    static final String ADMISSION = "admission";
    static final String OBSERVER = "observer";
    static final String DEPLOYMENTS = "deployments";
    static final String POOLS = "pools";
    static final String JOBS = "jobs";
    static final String SCHEDULES = "schedules";
    static final String WEBHOOKS = "webhooks";

    private final Map<String, Runnable> loops = new HashMap<>();

    /** @param wake wakes the loop of that name */
    public synchronized void connect(String loop, Runnable wake) {
        loops.put(loop, wake);
    }

    private synchronized void wake(String... names) {
        List.of(names).forEach(name -> loops.getOrDefault(name, () -> {}).run());
    }

    /** A job or a schedule is due. */
    public void jobs() {
        wake(SCHEDULES, JOBS);
    }

    /** Something is to be sent. */
    public void webhooks() {
        wake(WEBHOOKS);
    }

    /** A pool has changed, or has lost a machine. */
    public void pools() {
        wake(POOLS);
    }

    /** A deployment has changed, or its load. */
    public void deployments() {
        wake(DEPLOYMENTS);
    }

    /** A row is due. */
    public void driver() {
        wake(DRIVER);
    }

    /** A machine waits, or there is room again. */
    public void admission() {
        wake(ADMISSION);
    }

    /** Machines or clusters have changed. */
    public void all() {
        wake(DRIVER, ADMISSION, OBSERVER);
    }
}

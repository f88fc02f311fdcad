package dev.outpost.backend.fleet.loop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Wakes the loops of this replica when they have work. Loops of other replicas find the work within their periods. */
public final class Wakeups {
    public static final String DRIVER = "driver";
    public static final String ADMISSION = "admission";
    public static final String OBSERVER = "observer";
    public static final String DEPLOYMENTS = "deployments";
    public static final String POOLS = "pools";
    public static final String JOBS = "jobs";
    public static final String SCHEDULES = "schedules";
    public static final String WEBHOOKS = "webhooks";

    private final Map<String, Runnable> loops = new HashMap<>();

    /** @param wake wakes the loop with this name */
    public synchronized void connect(String loop, Runnable wake) {
        loops.put(loop, wake);
    }

    private synchronized void wake(String... names) {
        List.of(names).forEach(name -> loops.getOrDefault(name, () -> {}).run());
    }

    /** Wakes the loop of jobs, because a job or a schedule is due. */
    public void jobs() {
        wake(SCHEDULES, JOBS);
    }

    /** Wakes the loop of webhooks, because a delivery is due. */
    public void webhooks() {
        wake(WEBHOOKS);
    }

    /** Wakes the loop of pools, because a pool has changed, or has lost a machine. */
    public void pools() {
        wake(POOLS);
    }

    /** Wakes the loop of deployments, because a deployment or its load has changed. */
    public void deployments() {
        wake(DEPLOYMENTS);
    }

    /** Wakes the driver, because the row of a machine is due. */
    public void driver() {
        wake(DRIVER);
    }

    /** Wakes the admission, because a request waits, or there is room again. */
    public void admission() {
        wake(ADMISSION);
    }

    /** Wakes the driver, the admission and the observer: machines or clusters have changed. */
    public void all() {
        wake(DRIVER, ADMISSION, OBSERVER);
    }
}

package dev.outpost.backend.fleet;

import java.util.ArrayList;
import java.util.List;

/** Wakes the loops of this replica when there is something to do for them; those of others find it within their periods. */
public final class Wakeups {
    private final List<Runnable> driver = new ArrayList<>();
    private final List<Runnable> admission = new ArrayList<>();
    private final List<Runnable> observers = new ArrayList<>();
    private final List<Runnable> deployments = new ArrayList<>();
    private final List<Runnable> pools = new ArrayList<>();
    private final List<Runnable> jobs = new ArrayList<>();
    private final List<Runnable> webhooks = new ArrayList<>();

    public synchronized void connect(Runnable wakeDriver, Runnable wakeAdmission, Runnable wakeObservers) {
        driver.add(wakeDriver);
        admission.add(wakeAdmission);
        observers.add(wakeObservers);
    }

    /** Tells what is to be woken besides, for deployments and for pools. */
    public synchronized void connect(Runnable wakeDeployments, Runnable wakePools) {
        deployments.add(wakeDeployments);
        pools.add(wakePools);
    }

    /** Tells what is to be woken for jobs and for webhooks. */
    public synchronized void connectJobs(Runnable wakeJobs, Runnable wakeWebhooks) {
        jobs.add(wakeJobs);
        webhooks.add(wakeWebhooks);
    }

    /** A job or a schedule is due. */
    public synchronized void jobs() {
        jobs.forEach(Runnable::run);
    }

    /** Something is to be sent. */
    public synchronized void webhooks() {
        webhooks.forEach(Runnable::run);
    }

    /** A pool has changed, or has lost a machine. */
    public synchronized void pools() {
        pools.forEach(Runnable::run);
    }

    /** A deployment has changed, or its load. */
    public synchronized void deployments() {
        deployments.forEach(Runnable::run);
    }

    /** A row is due. */
    public synchronized void driver() {
        driver.forEach(Runnable::run);
    }

    /** A machine waits, or there is room again. */
    public synchronized void admission() {
        admission.forEach(Runnable::run);
    }

    /** Clusters have changed. */
    public synchronized void observers() {
        observers.forEach(Runnable::run);
    }

    public void all() {
        driver();
        admission();
        observers();
    }
}

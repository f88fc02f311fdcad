package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.WakeSignal;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;

/**
 * Observes one machine: its Job and its pod. Watches report changes, and now and then it reads the objects itself. Not thread-safe, except
 * {@link #close}.
 */
public final class MachineObserver implements AutoCloseable {
    private final ObjectWatcher<Job> jobs;
    private final ObjectWatcher<Pod> pods;
    private final PodChoice choice;
    private final ProviderContext context;
    private boolean hasLooked;
    private long lastLook;

    /**
     * @param job the Job at its creation or discovery
     * @param choice chooses the pod that represents the state of the machines
     * @param wakeSignal signalled after a change
     */
    public MachineObserver(Cluster cluster, Job job, PodChoice choice, WakeSignal wakeSignal, ProviderContext context) {
        String machine = job.getMetadata().getName();
        this.jobs = cluster.feed(Job.class, machine, wakeSignal::wake);
        this.pods = cluster.feed(Pod.class, machine, wakeSignal::wake);
        this.choice = choice;
        this.context = context;
        jobs.seen(job);
    }

    /**
     * Returns the known state, after a read from the cluster if one is due.
     *
     * @param resync the interval of reads, between which watches report changes
     */
    public ObservedMachine observe(Duration resync) {
        if (untilDue(resync).isZero()) {
            jobs.refresh();
            pods.refresh();
            hasLooked = true;
            lastLook = context.nanos().getAsLong();
        }
        Job job = job();
        Pod pod = choice.of(job, pods).orElse(null);
        return ObservedMachine.of(job, pod, context.clock().instant());
    }

    /** Returns the time until the next read, unless a change is reported earlier. */
    public Duration untilDue(Duration resync) {
        if (!hasLooked) {
            return Duration.ZERO;
        }
        boolean watched = jobs.isWatched() && pods.isWatched();
        Duration interval = watched ? resync : context.polling().reopen();
        Duration left = interval.minusNanos(context.nanos().getAsLong() - lastLook);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public void close() {
        jobs.close();
        pods.close();
    }

    private Job job() {
        Job newest = jobs.newest().orElseThrow();
        return jobs.isGone() ? NewestPod.deleted(newest, context.clock()) : newest;
    }
}

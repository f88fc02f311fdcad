package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.reason.facts.Observed;
import dev.outpost.provider.k8s.task.Pulse;
import dev.outpost.provider.k8s.task.Surroundings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;

/**
 * The state of one machine: its Job and its pod. Watches report changes, and now and then it reads by itself. For one
 * thread at a time, but for {@link #close}.
 */
public final class MachineObserver implements AutoCloseable {
    private static final String PENDING = "Pending";

    private final ObjectWatcher<Job> jobs;
    private final ObjectWatcher<Pod> pods;
    private final Surroundings surroundings;
    private boolean hasLooked;
    private long lastLook;

    /**
     * @param job the Job as it was when it was made or found
     * @param news beaten when there is something to look at
     */
    public MachineObserver(Cluster cluster, Job job, Pulse news, Surroundings surroundings) {
        String machine = job.getMetadata().getName();
        this.jobs = cluster.feed(Job.class, machine, news::beat);
        this.pods = cluster.feed(Pod.class, machine, news::beat);
        this.surroundings = surroundings;
        jobs.seen(job);
    }

    /**
     * The known state, once the cluster was asked where it is time to.
     *
     * @param resync how long what watches tell is relied upon
     */
    public Observed look(Duration resync) {
        if (untilDue(resync).isZero()) {
            jobs.refresh();
            pods.refresh();
            hasLooked = true;
            lastLook = surroundings.nanos().getAsLong();
        }
        return Observed.of(job(), pod(), List.of(), surroundings.clock().instant());
    }

    /** How long there is nothing to ask, unless there is news. */
    public Duration untilDue(Duration resync) {
        if (!hasLooked) {
            return Duration.ZERO;
        }
        boolean watched = jobs.isWatched() && pods.isWatched();
        Duration interval = watched ? resync : surroundings.pace().reopen();
        Duration left = interval.minusNanos(surroundings.nanos().getAsLong() - lastLook);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public void close() {
        jobs.close();
        pods.close();
    }

    private Job job() {
        Job newest = jobs.newest().orElseThrow();
        return jobs.isGone() ? deleted(newest) : newest;
    }

    /** A pod that went before it ran may be followed by another, so that there is none; any other has ended. */
    private Pod pod() {
        Pod newest = pods.newest().orElse(null);
        if (newest == null || !pods.isGone()) {
            return newest;
        }
        return PENDING.equals(newest.getStatus().getPhase()) ? null : deleted(newest);
    }

    /** An object that is gone may have been seen last before it was marked. */
    private <T extends HasMetadata> T deleted(T gone) {
        ObjectMeta metadata = gone.getMetadata();
        if (metadata.getDeletionTimestamp() == null) {
            metadata.setDeletionTimestamp(surroundings.clock().instant().toString());
        }
        return gone;
    }
}

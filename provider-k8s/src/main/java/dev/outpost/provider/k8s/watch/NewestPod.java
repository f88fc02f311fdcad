package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.InstantSource;
import java.util.Optional;

/** The newest pod of a Job that has one at a time. */
public final class NewestPod implements PodChoice {
    private static final String PENDING = "Pending";

    private final InstantSource clock;

    public NewestPod(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Returns the newest pod. If it was deleted before it ran, another one may follow, so there is none. Any other deleted pod has ended.
     */
    @Override
    public Optional<Pod> of(Job job, ObjectWatcher<Pod> pods) {
        Optional<Pod> newest = pods.newest();
        return pods.isGone() ? newest.filter(NewestPod::hasRun).map(gone -> deleted(gone, clock)) : newest;
    }

    static boolean hasRun(Pod gone) {
        return !PENDING.equals(gone.getStatus().getPhase());
    }

    /** Returns the object with a deletion time, which is missing if it was last seen before its deletion. */
    static <T extends HasMetadata> T deleted(T gone, InstantSource clock) {
        ObjectMeta metadata = gone.getMetadata();
        if (metadata.getDeletionTimestamp() == null) {
            metadata.setDeletionTimestamp(clock.instant().toString());
        }
        return gone;
    }
}

package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/** Chooses the pod of a Job that says where the Job's machine, or machines, stand. */
@FunctionalInterface
public interface PodChoice {
    /** The pod as it is to be judged; empty as long as there is none. */
    Optional<Pod> of(Job job, ObjectWatcher<Pod> pods);
}

package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Optional;

/** Chooses the pod of a Job that represents the state of the Job's machine or machines. */
@FunctionalInterface
public interface PodChoice {
    /** Returns the pod to interpret; empty as long as there is none. */
    Optional<Pod> of(Job job, ObjectWatcher<Pod> pods);
}

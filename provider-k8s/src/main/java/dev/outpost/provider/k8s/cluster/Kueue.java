package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.reason.facts.QueuePosition;
import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.OptionalInt;

/** Kueue's reports on Jobs that wait in its queues, by the version of its API that the cluster prefers. */
public final class Kueue {
    private static final String GROUP = "kueue.x-k8s.io";
    private static final String VISIBILITY = "visibility.kueue.x-k8s.io";
    private static final String PENDING_WORKLOADS = "/apis/%s/namespaces/%s/localqueues/%s/pendingworkloads";
    private static final String JOB_OF_WORKLOAD = "kueue.x-k8s.io/job-uid";

    private final KubernetesClient client;
    private final String namespace;

    public Kueue(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Returns the Workload of a Job. */
    public Optional<GenericKubernetesResource> workload(Job job) {
        return apiVersion(GROUP)
                .flatMap(version -> client
                        .genericKubernetesResources(version, "Workload")
                        .inNamespace(namespace)
                        .withLabel(JOB_OF_WORKLOAD, job.getMetadata().getUid())
                        .list()
                        .getItems()
                        .stream()
                        .findFirst());
    }

    /**
     * Returns the number of workloads ahead of this one in the queue; empty if the visibility API does not exist or
     * may not be read.
     */
    public OptionalInt position(String queue, GenericKubernetesResource workload) {
        return apiVersion(VISIBILITY)
                .map(version -> client.raw(PENDING_WORKLOADS.formatted(version, namespace, queue)))
                .map(pending -> QueuePosition.of(
                        client.getKubernetesSerialization().unmarshal(pending, GenericKubernetesResource.class),
                        workload.getMetadata().getName()))
                .orElse(OptionalInt.empty());
    }

    private Optional<String> apiVersion(String group) {
        return Optional.ofNullable(client.getApiGroup(group))
                .map(APIGroup::getPreferredVersion)
                .map(version -> version.getGroupVersion());
    }
}

package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes a machine's Job: one pod, started once, that ends at its deadline at the latest. */
final class MachineJob {
    private MachineJob() {}

    static Job of(KubernetesMachineSpec request) {
        KubernetesConfig config = request.config();
        return new JobBuilder()
                .withMetadata(metadata(request))
                .withNewSpec()
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(
                        request.deadline().map(MachineJob::seconds).orElse(null))
                .withTtlSecondsAfterFinished(Math.toIntExact(seconds(request.keptWhenEnded())))
                .withSuspend(config.queue().isPresent() ? true : null)
                .withNewTemplate()
                .withMetadata(podMetadata(request))
                .withSpec(MachinePod.of(request))
                .endTemplate()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(KubernetesMachineSpec request) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder(DesiredState.metadata(request)).withName(request.id());
        request.config().queue().ifPresent(queue -> metadata.addToLabels(MachineLabels.QUEUE, queue));
        return metadata.build();
    }

    /**
     * Returns the metadata of the pod. An annotation prevents autoscalers from evicting the pod to save a node,
     * because its values exist nowhere else. Annotations that the user sets override this one.
     */
    private static ObjectMeta podMetadata(KubernetesMachineSpec request) {
        ObjectMeta metadata = DesiredState.metadata(request);
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");
        annotations.put("karpenter.sh/do-not-disrupt", "true");
        annotations.putAll(metadata.getAnnotations());
        metadata.setAnnotations(annotations);
        return metadata;
    }

    /** Returns the duration in whole seconds, rounded up. */
    private static long seconds(Duration duration) {
        return duration.plusSeconds(1).minusNanos(1).toSeconds();
    }
}

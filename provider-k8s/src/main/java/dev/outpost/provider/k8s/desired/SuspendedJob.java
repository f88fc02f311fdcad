package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A machine's Job before its Secret exists: suspended and not in a queue, so that it has no pod. The kubelet reads a
 * Secret when it starts a container and then once a minute, so no pod may exist before the Secret does.
 */
public final class SuspendedJob {
    private SuspendedJob() {}

    /**
     * Returns the Job in its initial form.
     *
     * @param desired the Job in its released form
     */
    public static Job of(Job desired) {
        return new JobBuilder(desired)
                .editMetadata()
                .addToAnnotations(MachineLabels.HELD, "until it has its key")
                .removeFromLabels(MachineLabels.QUEUE)
                .endMetadata()
                .editSpec()
                .withSuspend(true)
                .endSpec()
                .build();
    }

    public static boolean isHeld(Job job) {
        Map<String, String> annotations = job.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(MachineLabels.HELD);
    }

    /** True if its pods claim their GPUs as devices, by a template that the Job owns. */
    public static boolean hasClaim(Job job) {
        return GpuClaim.isIn(job.getSpec().getTemplate().getSpec());
    }

    /**
     * Returns a JSON merge patch that starts the Job, or adds it to its queue, which starts it later. It can be
     * applied repeatedly. It changes nothing else, because an admission webhook may have changed the pod's template,
     * which is immutable.
     *
     * @param desired the Job in its released form
     */
    public static String release(Job desired) {
        return release(desired, Map.of());
    }

    /**
     * Returns a patch like {@link #release(Job)}.
     *
     * @param added annotations that the Job also gets
     */
    public static String release(Job desired, Map<String, String> added) {
        Map<String, Object> annotations = new TreeMap<>(added);
        annotations.put(MachineLabels.HELD, null);
        return Serialization.asJson(queue(desired)
                .map(queue -> Map.<String, Object>of(
                        "metadata", Map.of("annotations", annotations, "labels", Map.of(MachineLabels.QUEUE, queue))))
                .orElseGet(() -> Map.of(
                        "metadata", Map.of("annotations", annotations),
                        "spec",
                                Map.of(
                                        "suspend",
                                        Boolean.TRUE.equals(desired.getSpec().getSuspend())))));
    }

    private static Optional<String> queue(Job desired) {
        return Optional.ofNullable(desired.getMetadata().getLabels().get(MachineLabels.QUEUE));
    }
}

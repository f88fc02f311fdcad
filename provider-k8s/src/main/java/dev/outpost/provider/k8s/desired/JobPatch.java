package dev.outpost.provider.k8s.desired;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.outpost.provider.k8s.config.MergePatch;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;

/**
 * Applies a user's patch to a machine's Job. Refuses a patch that changes fields on which the provider relies.
 */
final class JobPatch {
    private static final String SETTING = "outpost.k8s.patch: ";

    private JobPatch() {}

    /**
     * Returns the Job as patched. Elements that its pod lacks are {@linkplain #skipped skipped}.
     *
     * @throws IllegalArgumentException if the result is not a Job, or has other values of fixed fields; the message
     *     names the change
     */
    static Job apply(Job job, MergePatch patch) {
        Job patched = read(merge(tree(job), patch));
        for (ImmutableJobFields immutable : ImmutableJobFields.values()) {
            if (!immutable.of(job).equals(immutable.of(patched))) {
                throw new IllegalArgumentException(SETTING + "it would change " + immutable + " from "
                        + immutable.of(job) + " to " + immutable.of(patched) + ", and " + immutable.reason()
                        + "; leave that out of the patch");
            }
        }
        return patched;
    }

    /**
     * Returns the elements of the patch that change something that the Job's pod lacks, such as {@code container
     * job}.
     */
    static List<String> skipped(Job job, MergePatch patch) {
        return ApplicablePatch.of(tree(job), patch.tree()).skipped();
    }

    private static Map<String, Object> merge(Map<String, Object> job, MergePatch patch) {
        try {
            return StrategicMerge.merge(
                    job, ApplicablePatch.of(job, patch.tree()).tree());
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(SETTING + failure.getMessage(), failure);
        }
    }

    private static Map<String, Object> tree(Job job) {
        return Serialization.unmarshal(Serialization.asJson(job), new TypeReference<>() {});
    }

    private static Job read(Map<String, Object> tree) {
        try {
            return Serialization.unmarshal(Serialization.asJson(tree), Job.class);
        } catch (KubernetesClientException | IllegalArgumentException failure) {
            throw new IllegalArgumentException(SETTING + "its result is not a Job: " + root(failure), failure);
        }
    }

    private static String root(Throwable problem) {
        Throwable root = problem;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage().lines().findFirst().orElse("");
    }
}

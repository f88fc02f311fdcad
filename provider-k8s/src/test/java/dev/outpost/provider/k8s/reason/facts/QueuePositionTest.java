package dev.outpost.provider.k8s.reason.facts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class QueuePositionTest {
    private static GenericKubernetesResource summary(String items) {
        String text =
                "{\"kind\":\"PendingWorkloadsSummary\",\"apiVersion\":\"visibility.kueue.x-k8s.io/v1beta1\",\"items\":"
                        + items + "}";
        return new KubernetesSerialization().unmarshal(text, GenericKubernetesResource.class);
    }

    @Test
    void positionCountsTheWholeQueue() {
        GenericKubernetesResource summary = summary("""
                [{"metadata":{"name":"job-a"},"positionInClusterQueue":0,"positionInLocalQueue":0},
                 {"metadata":{"name":"job-b"},"positionInClusterQueue":4,"positionInLocalQueue":1}]""");
        assertEquals(OptionalInt.of(4), QueuePosition.of(summary, "job-b"));
        assertEquals(OptionalInt.of(0), QueuePosition.of(summary, "job-a"));
    }

    @Test
    void admittedWorkloadHasNoPosition() {
        assertEquals(OptionalInt.empty(), QueuePosition.of(summary("[]"), "job-a"));
        assertEquals(OptionalInt.empty(), QueuePosition.of(summary("null"), "job-a"));
        assertEquals(OptionalInt.empty(), QueuePosition.of(summary("[{\"metadata\":{\"name\":\"job-a\"}}]"), "job-a"));
    }
}

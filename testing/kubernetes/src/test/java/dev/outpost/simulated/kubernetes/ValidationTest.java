package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests pods that every API server refuses, with its messages. */
class ValidationTest {
    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = ClusterConnection.client(cluster.config());

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private String refusal(Job job) {
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class, () -> client.resource(job).create());
        assertEquals(422, refused.getCode());
        return refused.getStatus().getMessage();
    }

    private static JobBuilder job() {
        return new JobBuilder(SampleMachine.job());
    }

    @Test
    void containerNeedsAnImage() {
        Job job = job().editSpec()
                .editTemplate()
                .editSpec()
                .addNewContainer()
                .withName("job")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        assertEquals(
                "Job.batch \"" + job.getMetadata().getName()
                        + "\" is invalid: spec.template.spec.containers[1].image: Required value",
                refusal(job));
    }

    @Test
    void mountNeedsItsVolumeAndAVolumeAType() {
        Job job = job().editSpec()
                .editTemplate()
                .editSpec()
                .withVolumes()
                .addNewVolume()
                .withName("other")
                .endVolume()
                .editFirstContainer()
                .withVolumeMounts()
                .addNewVolumeMount()
                .withName("group")
                .withMountPath("/grant")
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        assertEquals(
                "Job.batch \"" + job.getMetadata().getName()
                        + "\" is invalid: [spec.template.spec.volumes[0]: Required value: must specify a volume type,"
                        + " spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"group\"]",
                refusal(job));
    }
}

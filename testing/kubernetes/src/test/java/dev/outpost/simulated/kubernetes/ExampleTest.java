package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the example of README.md. */
class ExampleTest {
    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: train}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
                  containers:
                  - name: main
                    image: registry.example/train:1
                    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                    resources: {limits: {nvidia.com/gpu: 1}}
            """;

    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(cluster.config()).build();

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void anImageThatIsMissingIsToldOf() {
        cluster.faults().inject(Fault.tooManyRequests(Duration.ZERO).on(Verb.CREATE, "jobs"));
        cluster.pods().failNext(new PodFailure.ImagePull("manifest unknown"));

        client.resource(Serialization.unmarshal(JOB, Job.class)).create();

        Pod pod = ClusterAwait.present("the image is missing", () -> pod("ImagePullBackOff"));
        assertEquals("a100-1", pod.getSpec().getNodeName());
        assertEquals(2, cluster.requests().of(Verb.CREATE, "jobs"));
    }

    private Optional<Pod> pod(String reason) {
        return client.pods().withLabel("job-name", "train").list().getItems().stream()
                .filter(pod -> pod.getStatus().getContainerStatuses().stream()
                        .anyMatch(status ->
                                reason.equals(status.getState().getWaiting().getReason())))
                .findFirst();
    }
}

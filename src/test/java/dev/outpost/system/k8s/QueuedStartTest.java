package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertNull;

import dev.outpost.provider.Lease;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.simulated.kubernetes.api.Kind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a machine that Kueue admits, which the test simulates: it waits in its queue, reports it, and starts when it is admitted. */
class QueuedStartTest {
    private static final String FULL = "couldn't assign flavors to pod set main: insufficient unused quota for"
            + " nvidia.com/gpu in flavor default-flavor, 1 more needed";

    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    /** Kueue has had both versions, one after the other. */
    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1beta2"})
    void waitsForQuota(String version) {
        provided.levers().install(new Kind("kueue.x-k8s.io", version, "workloads", "Workload", true));
        AtomicReference<Lease> lease = new AtomicReference<>();
        provided.provider
                .provision(provided.spec("A100", "queue", "team"), provided.steps::add)
                .subscribe()
                .with(lease::set, failure -> {});

        Job job = provided.awaitPresent(
                "there is a Job in its queue",
                () -> provided.objects(Job.class).stream()
                        .filter(made -> made.getMetadata().getLabels().containsKey(MachineLabels.QUEUE))
                        .findFirst());
        queue(job, version);
        provided.await(
                "it says what it waits for",
                () -> provided.steps.stream()
                        .anyMatch(step -> step.text().contains("waiting for quota in the Kueue queue team")));
        assertNull(lease.get());
        provided.await("there is no pod", () -> provided.objects(Pod.class).isEmpty());

        admit(job);
        provided.await("the machine is there", () -> lease.get() != null);
        provided.release(lease.get());
        provided.awaitNothingLeft();
    }

    private void queue(Job job, String version) {
        GenericKubernetesResource workload = new GenericKubernetesResourceBuilder()
                .withApiVersion("kueue.x-k8s.io/" + version)
                .withKind("Workload")
                .withNewMetadata()
                .withName("job-" + job.getMetadata().getName())
                .withNamespace(provided.cluster.namespace())
                .addToLabels("kueue.x-k8s.io/job-uid", job.getMetadata().getUid())
                .endMetadata()
                .addToAdditionalProperties(
                        "spec",
                        Map.of("queueName", job.getMetadata().getLabels().get(MachineLabels.QUEUE)))
                .addToAdditionalProperties("status", Map.of("conditions", List.of(pending())))
                .build();
        provided.cluster.client().resource(workload).create();
        provided.cluster.client().resource(workload).updateStatus();
    }

    private static Map<String, String> pending() {
        return Map.of("type", "QuotaReserved", "status", "False", "reason", "Pending", "message", FULL);
    }

    private void admit(Job job) {
        provided.levers()
                .objects()
                .edit(
                        Job.class,
                        job.getMetadata().getNamespace(),
                        job.getMetadata().getName(),
                        "kueue",
                        present -> present.edit()
                                .editSpec()
                                .withSuspend(false)
                                .endSpec()
                                .build());
    }
}

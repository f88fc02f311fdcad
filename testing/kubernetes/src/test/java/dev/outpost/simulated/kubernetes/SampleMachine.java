package dev.outpost.simulated.kubernetes;

import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A machine's objects as tests of the cluster need them, independent of the provider's objects. */
final class SampleMachine {
    static final String NAME = "machine-1";
    private static final String KEY_FOLDER = "/var/run/outpost/key";

    private final KubernetesClient client;
    private final MachineKey key = MachineKey.create(InstantSource.system(), new SecureRandom());

    SampleMachine(KubernetesClient client) {
        this.client = client;
    }

    MachineKey key() {
        return key;
    }

    /** Applies the Secret before the Job, so that its pod finds it, and gives it to the Job then. */
    Job start() {
        return start(job());
    }

    Job start(Job desired) {
        client.resource(secret()).fieldManager("outpost").serverSideApply();
        Job job = apply(desired);
        client.resource(secret(job)).fieldManager("outpost").serverSideApply();
        return job;
    }

    Job apply(Job desired) {
        return client.resource(desired).fieldManager("outpost").serverSideApply();
    }

    // ---- the objects

    static Job job() {
        return new JobBuilder()
                .withNewMetadata()
                .withName(NAME)
                .addToLabels("app", "outpost")
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(0)
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "outpost")
                .endMetadata()
                .withSpec(pod())
                .endTemplate()
                .endSpec()
                .build();
    }

    static Job job(Consumer<JobSpec> change) {
        Job job = job();
        change.accept(job.getSpec());
        return job;
    }

    static PodSpec pod() {
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(30L)
                .withAutomountServiceAccountToken(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(new ContainerBuilder()
                        .withName("machine")
                        .withImage("registry.example/outpost-runtime:test")
                        .withTerminationMessagePolicy("FallbackToLogsOnError")
                        .withEnv(environment())
                        .addNewPort()
                        .withName("session")
                        .withContainerPort(50051)
                        .endPort()
                        .addNewPort()
                        .withName("management")
                        .withContainerPort(50052)
                        .endPort()
                        .withNewReadinessProbe()
                        .withNewHttpGet()
                        .withScheme("HTTPS")
                        .withNewPort("management")
                        .withPath("/q/health/ready")
                        .endHttpGet()
                        .endReadinessProbe()
                        .withNewSecurityContext()
                        .withAllowPrivilegeEscalation(false)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .endSecurityContext()
                        .withNewResources()
                        .withLimits(Map.of("nvidia.com/gpu", new Quantity("1")))
                        .endResources()
                        .addNewVolumeMount()
                        .withName("key")
                        .withMountPath(KEY_FOLDER)
                        .withReadOnly(true)
                        .endVolumeMount()
                        .build())
                .addNewVolume()
                .withName("key")
                .withNewSecret()
                .withSecretName(NAME)
                .withOptional(true)
                .endSecret()
                .endVolume()
                .build();
    }

    private static List<EnvVar> environment() {
        return List.of(
                variable("HOST", "0.0.0.0"),
                variable("PORT", "50051"),
                variable("MANAGEMENT_PORT", "50052"),
                variable("CERTIFICATE", KEY_FOLDER + "/tls.crt"),
                variable("KEY", KEY_FOLDER + "/tls.key"),
                variable("TOKEN_FILE", KEY_FOLDER + "/token"),
                variable("LEASE", "PT5S"),
                variable("ENGINE", "cpu"),
                variable("END_FILE", "/dev/termination-log"));
    }

    static EnvVar variable(String name, String value) {
        return new EnvVar("OUTPOST_RUNTIME_" + name, value, null);
    }

    private Secret secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(NAME)
                .endMetadata()
                .withData(key.data())
                .build();
    }

    Secret secret(Job owner) {
        return new SecretBuilder(secret())
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(NAME)
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    // ---- state of the machine

    Optional<Pod> findPod() {
        return client.pods().withLabel("job-name", NAME).list().getItems().stream()
                .findFirst();
    }

    Pod ready() {
        return ClusterAwait.present(
                "the pod of " + NAME + " is ready", () -> findPod().filter(SampleMachine::isReady));
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    Optional<Job> findJob() {
        return Optional.ofNullable(client.batch().v1().jobs().withName(NAME).get());
    }

    /** Waits for a true condition of the Job, and returns the Job. */
    Job jobWhen(String condition) {
        return ClusterAwait.present(
                "the Job is " + condition,
                () -> findJob()
                        .filter(job -> job.getStatus() != null
                                && job.getStatus().getConditions().stream()
                                        .anyMatch(found -> found.getType().equals(condition)
                                                && found.getStatus().equals("True"))));
    }
}

package dev.outpost.provider.k8s;

import dev.outpost.provider.k8s.desired.MachineLabels;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Objects of machines as a cluster would have them. */
public final class MachineObjects {
    public static final String ID = "outpost-t4-x7k2m9qd";
    public static final Instant CREATED = Instant.parse("2030-01-01T12:00:00Z");

    private MachineObjects() {}

    public static Job job() {
        return job(ID);
    }

    public static Job job(String id) {
        return new JobBuilder()
                .withMetadata(metadata(id))
                .withNewSpec()
                .withActiveDeadlineSeconds(7200L)
                .endSpec()
                .withNewStatus()
                .withStartTime(CREATED.plusSeconds(5).toString())
                .endStatus()
                .build();
    }

    public static Job stated(Job job) {
        return new JobBuilder(job)
                .editMetadata()
                .addToLabels(MachineLabels.LIFE, MachineLabels.STATED)
                .endMetadata()
                .build();
    }

    /**
     * @param type {@code Failed} or {@code Complete}
     */
    public static Job ended(Job job, String type, Instant when) {
        return new JobBuilder(job)
                .editStatus()
                .addNewCondition()
                .withType(type)
                .withStatus("True")
                .withReason("BackoffLimitExceeded")
                .withMessage("Job has reached the specified backoff limit")
                .withLastTransitionTime(when.toString())
                .endCondition()
                .endStatus()
                .build();
    }

    public static Pod pending(String id) {
        return new PodBuilder()
                .withMetadata(pod(id))
                .withNewSpec()
                .addNewContainer()
                .withName("machine")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    public static Pod running(String id, boolean ready) {
        return new PodBuilder(pending(id))
                .editSpec()
                .withNodeName("node-1")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withPodIP("10.0.0.7")
                .withHostIP("192.168.0.1")
                .addNewContainerStatus()
                .withName("machine")
                .withReady(ready)
                .withState(new ContainerStateBuilder()
                        .withNewRunning()
                        .endRunning()
                        .build())
                .endContainerStatus()
                .endStatus()
                .build();
    }

    public static Pod exited(String id, int code, String lastWord) {
        return new PodBuilder(running(id, false))
                .editStatus()
                .withPhase(code == 0 ? "Succeeded" : "Failed")
                .editFirstContainerStatus()
                .withState(new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withMessage(lastWord)
                        .endTerminated()
                        .build())
                .endContainerStatus()
                .endStatus()
                .build();
    }

    public static Secret secret(Job owner) {
        return new SecretBuilder().withMetadata(owned(owner)).build();
    }

    public static Service service(Job owner) {
        return new ServiceBuilder().withMetadata(owned(owner)).build();
    }

    public static ResourceClaimTemplate claimTemplate(Job owner) {
        return new ResourceClaimTemplateBuilder().withMetadata(owned(owner)).build();
    }

    /** A claim as the cluster makes it from the template, with its labels. */
    public static ResourceClaim claim(Pod owner) {
        String id = owner.getMetadata().getLabels().get(MachineLabels.MACHINE);
        return new ResourceClaimBuilder()
                .withNewMetadataLike(owned(owner, id))
                .withName(owner.getMetadata().getName() + "-gpu-x9z4k")
                .endMetadata()
                .build();
    }

    private static ObjectMeta owned(Job owner) {
        return owned(owner, owner.getMetadata().getName());
    }

    private static ObjectMeta owned(HasMetadata owner, String id) {
        return new ObjectMetaBuilder(metadata(id))
                .withUid(null)
                .addNewOwnerReference()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .endOwnerReference()
                .build();
    }

    private static ObjectMeta pod(String id) {
        return new ObjectMetaBuilder(metadata(id))
                .withName(id + "-abcde")
                .withUid("pod-of-" + id)
                .build();
    }

    private static ObjectMeta metadata(String id) {
        Map<String, String> labels = new HashMap<>(MachineLabels.of(id));
        labels.put(MachineLabels.GPU, "T4");
        labels.put(MachineLabels.LIFE, MachineLabels.CLIENT);
        return new ObjectMetaBuilder()
                .withName(id)
                .withUid("job-of-" + id)
                .withCreationTimestamp(CREATED.toString())
                .withLabels(labels)
                .addToAnnotations(MachineLabels.OWNER, "ada@laptop")
                .build();
    }
}

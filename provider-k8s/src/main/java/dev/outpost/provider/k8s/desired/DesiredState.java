package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.Pairs;
import dev.outpost.provider.k8s.devices.GpuClaim;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The objects that a machine needs in the cluster. The Job comes first and owns the others, so they are deleted with it. None of them names
 * a namespace. The code that applies them chooses it.
 */
public final class DesiredState {
    private DesiredState() {}

    /**
     * Refuses an invalid machine without asking the cluster.
     *
     * @throws IllegalArgumentException if such a machine cannot be described; the message names the setting
     */
    public static void check(GpuType gpu, KubernetesConfig config) {
        check(
                new KubernetesMachineSpec("outpost-check", gpu, new LifetimePolicy.ClientLease(), "", config),
                DesiredState::job);
    }

    /** Checks a request. A GPU without known labels is accepted if it can be claimed as a device, because the cluster decides that. */
    static void check(KubernetesMachineSpec request, Consumer<KubernetesMachineSpec> describe) {
        try {
            describe.accept(request);
        } catch (IllegalArgumentException failure) {
            boolean mayBeClaimed = request.config().gpuAllocation() == GpuAllocation.AUTO
                    && !GpuChoice.deviceClasses(request.gpu(), request.config()).isEmpty();
            if (!mayBeClaimed) {
                throw failure;
            }
            describe.accept(request.with(GpuAllocation.RESOURCE_CLAIM));
        }
    }

    /** Returns the Job whose pod is the machine. */
    public static Job job(KubernetesMachineSpec request) {
        Job job = MachineJob.of(request);
        return request.config().patch().map(patch -> JobPatch.apply(job, patch)).orElse(job);
    }

    /** Returns the Job in its initial form. It has no pod before it is {@linkplain SuspendedJob#release released}. */
    public static Job heldJob(KubernetesMachineSpec request) {
        return SuspendedJob.of(job(request));
    }

    /**
     * Returns the Secret with the machine's key.
     *
     * @param jobUid the uid of the machine's Job
     */
    public static Secret secret(KubernetesMachineSpec request, MachineKey key, String jobUid) {
        return new SecretBuilder()
                .withMetadata(owned(request, jobUid))
                .withType("Opaque")
                .withData(data(request, key))
                .build();
    }

    private static Map<String, String> data(KubernetesMachineSpec request, MachineKey key) {
        return switch (request.lifetime()) {
            case LifetimePolicy.ClientLease leased -> key.data();
            case LifetimePolicy.Stated stated -> key.data();
            case LifetimePolicy.Controlled controlled ->
                JobContainer.withRunner(key.granted(controlled.grants()), controlled);
        };
    }

    /**
     * Returns the Service of the machine. Clients from outside use it if that is the access mode. Otherwise Prometheus uses it to find the
     * machine.
     *
     * @param jobUid the uid of the machine's Job
     */
    public static Service service(KubernetesMachineSpec request, String jobUid, AccessMode accessMode) {
        return MachineServiceObject.of(owned(request, jobUid), request, accessMode);
    }

    /**
     * Returns the template of the claim that its pod makes, for a machine that claims a device.
     *
     * @param gpus the number of GPUs of the pod
     * @param jobUid the uid of the machine's Job
     */
    public static ResourceClaimTemplate claimTemplate(KubernetesMachineSpec request, int gpus, String jobUid) {
        return new ResourceClaimTemplateBuilder()
                .withMetadata(owned(request, jobUid))
                .withNewSpec()
                .withMetadata(metadata(request))
                .withSpec(GpuClaim.of(
                        request.placement().devices(), gpus, request.config().gpuTopology()))
                .endSpec()
                .build();
    }

    static ObjectMeta owned(KubernetesMachineSpec request, String jobUid) {
        return new ObjectMetaBuilder(metadata(request))
                .withName(request.id())
                .withOwnerReferences(owner(request, jobUid))
                .build();
    }

    /** Returns the labels and annotations of all objects of the machine. Outpost's own override the user's. */
    static ObjectMeta metadata(KubernetesMachineSpec request) {
        return new ObjectMetaBuilder()
                .withLabels(with(request.config().labels(), MachineLabels.of(request)))
                .withAnnotations(with(request.config().annotations(), MachineLabels.annotations(request)))
                .build();
    }

    private static Map<String, String> with(Optional<Pairs> added, Map<String, String> ours) {
        Map<String, String> all = new LinkedHashMap<>(ours);
        added.map(Pairs::map).ifPresent(all::putAll);
        all.putAll(ours);
        return all;
    }

    /**
     * Returns the reference to the owning Job. It does not block the Job's deletion, because that would need a
     * permission on Jobs that clients do not need otherwise.
     */
    private static OwnerReference owner(KubernetesMachineSpec request, String jobUid) {
        return new OwnerReferenceBuilder()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(request.id())
                .withUid(jobUid)
                .build();
    }
}

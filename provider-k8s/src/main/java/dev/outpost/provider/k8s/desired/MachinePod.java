package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.devices.GpuClaim;
import dev.outpost.provider.support.Memory;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.ArrayList;
import java.util.List;

/** Makes the pod of a machine. The strictest of Kubernetes' Pod Security Standards accepts it. */
final class MachinePod {
    /** The volume of the machine's key. */
    static final String KEY = "key";

    static final String METRICS = "metrics";

    /** The Secret for readers of metrics, which an operator makes once for a namespace. */
    private static final String METRICS_SECRET = "outpost-metrics";

    static final String SCRATCH = "scratch";
    static final String SHARED_MEMORY = "shared-memory";

    /** The user of the image. The image also runs as any other user. */
    private static final long USER = 10001;

    /** The grace period of the pod in seconds; the runtime takes less to drain. */
    private static final long GRACE_SECONDS = 30;

    /** Readable for its group only, because a user that is not root can read it only that way. */
    private static final int KEY_MODE = 0440;

    /** The room for files that the JVM, Netty and CUDA unpack and compile. */
    private static final Quantity SCRATCH_SIZE = new Quantity("2Gi");

    private MachinePod() {}

    static PodSpec of(KubernetesMachineSpec request) {
        KubernetesConfig config = request.config();
        PodPlacement placement = request.placement();
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withServiceAccountName(config.serviceAccount().orElse(null))
                .withRuntimeClassName(config.runtimeClass().orElse(null))
                .withPriorityClassName(config.priorityClass().orElse(null))
                .withImagePullSecrets(pullSecrets(config))
                .withSecurityContext(security())
                .withNodeSelector(placement.nodeSelector())
                .withAffinity(affinity(placement))
                .withTolerations(placement.tolerations())
                .withResourceClaims(claims(request, placement))
                .withContainers(containers(request, placement))
                .withVolumes(volumes(request))
                .build();
    }

    private static List<LocalObjectReference> pullSecrets(KubernetesConfig config) {
        return config.imagePullSecrets().orElse(List.of()).stream()
                .map(LocalObjectReference::new)
                .toList();
    }

    private static PodSecurityContext security() {
        return new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    private static Affinity affinity(PodPlacement placement) {
        NodeSelector required = placement.terms().isEmpty() ? null : new NodeSelector(placement.terms());
        return required == null && placement.preferred().isEmpty()
                ? null
                : new AffinityBuilder()
                        .withNewNodeAffinity()
                        .withRequiredDuringSchedulingIgnoredDuringExecution(required)
                        .withPreferredDuringSchedulingIgnoredDuringExecution(placement.preferred())
                        .endNodeAffinity()
                        .build();
    }

    private static List<PodResourceClaim> claims(KubernetesMachineSpec request, PodPlacement placement) {
        return placement.devices().isEmpty()
                ? List.of()
                : List.of(new PodResourceClaimBuilder()
                        .withName(GpuClaim.NAME)
                        .withResourceClaimTemplateName(request.id())
                        .build());
    }

    private static List<Container> containers(KubernetesMachineSpec request, PodPlacement placement) {
        List<Container> containers = new ArrayList<>(List.of(MachineContainer.of(request, placement)));
        JobContainer.of(request).ifPresent(containers::add);
        return containers;
    }

    private static List<Volume> volumes(KubernetesMachineSpec request) {
        List<Volume> volumes = new ArrayList<>(JobContainer.volumes(request));
        volumes.add(secret(KEY, request.id(), false));
        volumes.add(secret(METRICS, METRICS_SECRET, true));
        volumes.add(new VolumeBuilder()
                .withName(SCRATCH)
                .withNewEmptyDir()
                .withSizeLimit(SCRATCH_SIZE)
                .endEmptyDir()
                .build());
        request.config().sharedMemory().map(MachinePod::sharedMemory).ifPresent(volumes::add);
        return volumes;
    }

    /** @param isOptional false if the machine cannot work without the Secret; the kubelet then waits until it exists */
    private static Volume secret(String volume, String name, boolean isOptional) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewSecret()
                .withSecretName(name)
                .withOptional(isOptional ? true : null)
                .withDefaultMode(KEY_MODE)
                .endSecret()
                .build();
    }

    private static Volume sharedMemory(Memory size) {
        return new VolumeBuilder()
                .withName(SHARED_MEMORY)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(new Quantity(size.text()))
                .endEmptyDir()
                .build();
    }
}

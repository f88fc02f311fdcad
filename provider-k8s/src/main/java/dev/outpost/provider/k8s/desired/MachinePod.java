package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;

/** Makes the pod of a machine. */
final class MachinePod {
    /** The volume of the machine's key. */
    static final String KEY = "key";

    static final String METRICS = "metrics";
    static final String SCRATCH = "scratch";
    static final String SHARED_MEMORY = "shared-memory";

    private MachinePod() {}

    static PodSpec of(KubernetesMachineSpec request) {
        KubernetesConfig config = request.config();
        PodPlacement placement = request.placement();
        PodSpecBuilder pod = new PodSpecBuilder(PodTemplates.MACHINE)
                .withServiceAccountName(config.serviceAccount().orElse(null))
                .withRuntimeClassName(config.runtimeClass().orElse(null))
                .withPriorityClassName(config.priorityClass().orElse(null))
                .withImagePullSecrets(pullSecrets(config))
                .withNodeSelector(placement.nodeSelector())
                .withAffinity(affinity(placement))
                .withTolerations(placement.tolerations())
                .withContainers(MachineContainer.of(request, placement))
                .editMatchingVolume(volume -> volume.getName().equals(KEY))
                .editSecret()
                .withSecretName(request.id())
                .endSecret()
                .endVolume();
        if (!placement.devices().isEmpty()) {
            pod.addNewResourceClaim()
                    .withName(GpuClaim.NAME)
                    .withResourceClaimTemplateName(request.id())
                    .endResourceClaim();
        }
        config.sharedMemory()
                .ifPresent(size -> pod.addNewVolume()
                        .withName(SHARED_MEMORY)
                        .withNewEmptyDir()
                        .withMedium("Memory")
                        .withSizeLimit(new Quantity(size.text()))
                        .endEmptyDir()
                        .endVolume());
        JobContainer.of(request)
                .ifPresent(
                        runner -> pod.addAllToContainers(runner.getContainers()).addAllToVolumes(runner.getVolumes()));
        return pod.build();
    }

    private static List<LocalObjectReference> pullSecrets(KubernetesConfig config) {
        return config.imagePullSecrets().orElse(List.of()).stream()
                .map(LocalObjectReference::new)
                .toList();
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
}

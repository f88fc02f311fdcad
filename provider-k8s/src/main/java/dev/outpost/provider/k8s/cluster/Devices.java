package dev.outpost.provider.k8s.cluster;

import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.devices.AllocationChoice.ClassState;
import dev.outpost.provider.k8s.devices.DeviceSupply;
import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The objects of dynamic resource allocation, {@code resource.k8s.io/v1}. Each call waits for the answer. */
public final class Devices {
    private static final Set<Integer> FORBIDDEN = Set.of(HttpURLConnection.HTTP_FORBIDDEN);
    private static final Set<Integer> NOT_TO_BE_SEEN =
            Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_NOT_FOUND);

    private final KubernetesClient client;
    private final String namespace;

    public Devices(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Checks if a DeviceClass exists. In a cluster that does not serve the API, none exists. */
    public ClassState deviceClass(String name) {
        return CompleteList.unlessRefused(
                        FORBIDDEN,
                        () -> client.resources(DeviceClass.class).withName(name).get() == null
                                ? ClassState.MISSING
                                : ClassState.THERE)
                .orElse(ClassState.FORBIDDEN);
    }

    /** Returns the claims by which a pod of a machine gets its GPUs. Empty if this user may not list claims. */
    public List<ResourceClaim> claims(Pod pod) {
        String machine = pod.getMetadata().getLabels().get(MachineLabels.MACHINE);
        return ofMachine(ResourceClaim.class, machine).stream()
                .filter(claim -> isOwned(claim, pod) && GpuClaim.isGpu(claim))
                .toList();
    }

    /**
     * Returns the devices of the cluster, and the devices that claims of this namespace hold. Empty if this user may
     * not list devices. If the user may not list claims, no device counts as claimed.
     */
    public Optional<DeviceSupply> supply() {
        return slices().map(slices -> DeviceSupply.of(slices, list(ResourceClaim.class, Map.of())));
    }

    /**
     * Returns the machines' claims, or templates of claims. Empty if the cluster does not serve the API, or if this
     * user may not list them.
     */
    public <T extends HasMetadata> List<T> ofMachines(Class<T> type) {
        return list(type, MachineLabels.ofAll());
    }

    /** Returns the same as {@link #ofMachines}, for one machine. */
    public <T extends HasMetadata> List<T> ofMachine(Class<T> type, String machine) {
        return list(type, MachineLabels.of(machine));
    }

    private <T extends HasMetadata> List<T> list(Class<T> type, Map<String, String> labels) {
        return CompleteList.unlessRefused(
                        NOT_TO_BE_SEEN,
                        () -> CompleteList.of(
                                client.resources(type).inNamespace(namespace).withLabels(labels)))
                .map(KubernetesResourceList::getItems)
                .orElse(List.of());
    }

    private static boolean isOwned(ResourceClaim claim, Pod pod) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(pod.getMetadata().getUid()));
    }

    private Optional<List<ResourceSlice>> slices() {
        return CompleteList.unlessRefused(
                FORBIDDEN,
                () -> CompleteList.of(client.resources(ResourceSlice.class)).getItems());
    }
}

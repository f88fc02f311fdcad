package dev.outpost.simulated.kubernetes.device;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.device.DeviceAllocator.Allocation;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The part of the scheduler that allocates devices, for one attempt to schedule a pod. */
public final class DeviceScheduling {
    private static final String SCHEDULER = "default-scheduler";

    private final ClusterObjects objects;
    private final Pod pod;
    private final List<ResourceClaim> own;
    private final Map<String, DeviceClass> classes;
    private final List<PublishedDevice> free;
    private final Map<String, List<Allocation>> found = new HashMap<>();

    public DeviceScheduling(ClusterObjects objects, Pod pod) {
        List<ResourceClaim> claims = objects.list(ResourceClaim.class);
        this.objects = objects;
        this.pod = pod;
        this.own = claims.stream().filter(claim -> isOf(claim, pod)).toList();
        this.classes = objects.list(DeviceClass.class).stream()
                .collect(Collectors.toMap(known -> known.getMetadata().getName(), Function.identity()));
        this.free = PublishedDevice.of(objects.list(ResourceSlice.class)).stream()
                .filter(device -> claims.stream().noneMatch(claim -> has(claim, device)))
                .toList();
    }

    static boolean isOf(ResourceClaim claim, Pod pod) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(pod.getMetadata().getUid()));
    }

    static boolean has(ResourceClaim claim, PublishedDevice device) {
        return claim.getStatus() != null
                && claim.getStatus().getAllocation() != null
                && claim.getStatus().getAllocation().getDevices().getResults().stream()
                        .anyMatch(device::isIn);
    }

    static List<PodResourceClaim> claimsOf(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getResourceClaims()).orElse(List.of());
    }

    /** True if all claims of the pod exist; until then the scheduler ignores the pod. */
    public boolean isReady() {
        return own.size() == claimsOf(pod).size();
    }

    /** Returns why the pod cannot run on any node, in the scheduler's words. */
    public Optional<String> obstacleEverywhere() {
        return own.stream()
                .flatMap(DeviceAllocator::classes)
                .filter(request -> !classes.containsKey(request.deviceClass()))
                .findFirst()
                .map(request ->
                        "request " + request.request() + ": device class " + request.deviceClass() + " does not exist");
    }

    /** Returns why the pod cannot run on a node, in the scheduler's words. */
    public List<String> obstacles(String node) {
        List<PublishedDevice> left = new ArrayList<>(
                free.stream().filter(device -> node.equals(device.node())).toList());
        List<Allocation> allocations = new ArrayList<>();
        for (ResourceClaim claim : own) {
            Optional<Allocation> allocation = new DeviceAllocator(classes, left).allocate(claim);
            if (allocation.isEmpty()) {
                return List.of("cannot allocate all claims");
            }
            allocations.add(allocation.get());
            left.removeIf(device -> allocation.get().results().stream().anyMatch(device::isIn));
        }
        found.put(node, allocations);
        return List.of();
    }

    /** The sum of the ranks of the chosen alternatives; 0 is best. */
    public int rank(String node) {
        return found.getOrDefault(node, List.of()).stream()
                .mapToInt(Allocation::rank)
                .sum();
    }

    /** Allocates the devices that were found on the node to the pod's claims. */
    public void reserve(String node) {
        for (int index = 0; index < own.size(); index++) {
            reserve(own.get(index), found.get(node).get(index), node);
        }
    }

    private void reserve(ResourceClaim claim, Allocation allocation, String node) {
        objects.edit(
                ResourceClaim.class,
                claim.getMetadata().getNamespace(),
                claim.getMetadata().getName(),
                SCHEDULER,
                present -> new ResourceClaimBuilder(present)
                        .withNewStatus()
                        .withNewAllocation()
                        .withNewDevices()
                        .withResults(allocation.results())
                        .endDevices()
                        .withNodeSelector(onlyOn(node))
                        .endAllocation()
                        .addNewReservedFor(
                                null,
                                pod.getMetadata().getName(),
                                "pods",
                                pod.getMetadata().getUid())
                        .endStatus()
                        .build());
    }

    private static NodeSelector onlyOn(String node) {
        return new NodeSelectorBuilder()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues(node)
                .endMatchField()
                .endNodeSelectorTerm()
                .build();
    }
}

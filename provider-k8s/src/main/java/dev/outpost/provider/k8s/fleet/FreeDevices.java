package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.GpuChoice;
import dev.outpost.provider.k8s.devices.AllocationChoice;
import dev.outpost.provider.k8s.devices.DeviceFacts;
import dev.outpost.provider.k8s.devices.DeviceKind;
import dev.outpost.provider.k8s.devices.DeviceSupply;
import dev.outpost.provider.k8s.machine.Allocation;
import dev.outpost.provider.k8s.task.StartContext;
import java.util.List;
import java.util.Optional;

/** Finds the device that a machine would get now, if machines claim their GPUs as devices. The search changes nothing in the cluster. */
final class FreeDevices {
    private final Cluster cluster;
    private final StartContext context;

    FreeDevices(Cluster cluster, StartContext context) {
        this.cluster = cluster;
        this.context = context;
    }

    /**
     * Returns the availability; empty if machines request an extended resource, or if this user may not list devices.
     *
     * @throws IllegalArgumentException if the GPU cannot be claimed as a device; the message names the setting
     */
    Optional<GpuAvailability> of(GpuType gpu, KubernetesConfig config) {
        if (!Allocation.choose(gpu, config, cluster, context).isClaim()) {
            return Optional.empty();
        }
        List<DeviceKind> kinds = GpuChoice.claimed(gpu, config);
        Optional<String> missing = missingClass(kinds, config);
        return missing.isPresent()
                ? missing.map(clause -> new GpuAvailability(false, clause))
                : context.ask(() -> cluster.devices().supply()).map(supply -> of(kinds, supply));
    }

    /**
     * Returns a clause about a missing DeviceClass if the setting forces claims. Empty for AUTO, which chooses claims only if the class
     * exists.
     */
    private Optional<String> missingClass(List<DeviceKind> kinds, KubernetesConfig config) {
        return config.gpuAllocation() == GpuAllocation.AUTO
                ? Optional.empty()
                : AllocationChoice.missing(
                        kinds.stream().map(DeviceKind::deviceClass).distinct().toList(),
                        name -> context.ask(() -> cluster.devices().deviceClass(name)));
    }

    private GpuAvailability of(List<DeviceKind> kinds, DeviceSupply supply) {
        List<DeviceFacts> free = supply.choice(kinds);
        if (free.isEmpty()) {
            return new GpuAvailability(false, supply.shortage(kinds).text());
        }
        String others = free.size() == 1 ? "" : ", or one of " + (free.size() - 1) + " others like it";
        return new GpuAvailability(true, "the device " + free.getFirst().description() + others);
    }
}

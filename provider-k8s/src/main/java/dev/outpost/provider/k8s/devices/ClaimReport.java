package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A report on the claims of one pod.
 *
 * @param kinds the kinds of device that they request, best first
 * @param supply the devices of the cluster; empty if they may not be listed
 * @param troubles conditions of allocated devices that do not hold, as drivers report them
 */
public record ClaimReport(List<DeviceKind> kinds, Optional<DeviceSupply> supply, List<String> troubles) {

    public ClaimReport {
        kinds = List.copyOf(kinds);
        troubles = List.copyOf(troubles);
    }

    /**
     * Makes the report on the GPU claims of one pod. All claims request the same kinds, so only the first is read.
     *
     * @param claims the GPU claims of the pod, without other claims of a user's patch
     */
    public static ClaimReport of(List<ResourceClaim> claims, Optional<DeviceSupply> supply) {
        return new ClaimReport(
                claims.stream()
                        .findFirst()
                        .map(claim -> GpuClaim.kinds(claim.getSpec()))
                        .orElse(List.of()),
                supply,
                claims.stream().flatMap(ClaimReport::troubles).toList());
    }

    private static Stream<String> troubles(ResourceClaim claim) {
        return claim.getStatus() == null || claim.getStatus().getDevices() == null
                ? Stream.empty()
                : claim.getStatus().getDevices().stream().flatMap(ClaimReport::troubles);
    }

    private static Stream<String> troubles(AllocatedDeviceStatus device) {
        return Optional.ofNullable(device.getConditions()).orElse(List.of()).stream()
                .filter(condition -> "False".equals(condition.getStatus()))
                .map(condition -> "the device " + device.getDevice() + " of " + device.getPool() + " is not "
                        + condition.getType() + message(condition));
    }

    private static String message(Condition condition) {
        boolean isSilent =
                condition.getMessage() == null || condition.getMessage().isBlank();
        return isSilent ? " (" + condition.getReason() + ")" : ": " + condition.getMessage();
    }

    /** Returns the reason why no device was allocated; empty if devices may not be listed. */
    public Optional<DeviceSupply.Shortage> shortage() {
        return kinds.isEmpty() ? Optional.empty() : supply.map(there -> there.shortage(kinds));
    }
}

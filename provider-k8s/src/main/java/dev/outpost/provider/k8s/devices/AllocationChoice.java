package dev.outpost.provider.k8s.devices;

import dev.outpost.provider.k8s.config.GpuAllocation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The method by which a machine gets its GPU: by device plugin or by claim.
 *
 * @param allocation {@code RESOURCE_CLAIM} or {@code EXTENDED_RESOURCE}
 * @param why a clause for people, without a full stop
 */
public record AllocationChoice(GpuAllocation allocation, String why) {

    /** The state of a DeviceClass. */
    public enum ClassState {
        THERE,
        MISSING,
        /** This user may not read it. */
        FORBIDDEN
    }

    private static final String FORCED = "outpost.k8s.gpu-allocation requires it";

    /** The reason why a request has no device classes. */
    public static final String NO_COUNTERPART = "claims have no counterpart of outpost.k8s.resource-name";

    /**
     * Chooses the allocation. Looks up DeviceClasses only for {@code AUTO}.
     *
     * @param setting the setting
     * @param resource the extended resource of the GPU; empty if the machine requests no GPU at all
     * @param deviceClasses the DeviceClasses that the claim would name; empty if devices cannot express the request
     * @param look finds a class by its name
     */
    public static AllocationChoice of(
            GpuAllocation setting,
            Optional<String> resource,
            List<String> deviceClasses,
            Function<String, ClassState> look) {
        if (resource.isEmpty()) {
            return extended("machines ask for no GPU");
        }
        return switch (setting) {
            case RESOURCE_CLAIM -> new AllocationChoice(GpuAllocation.RESOURCE_CLAIM, FORCED);
            case EXTENDED_RESOURCE -> extended(FORCED);
            case AUTO -> deviceClasses.isEmpty() ? extended(NO_COUNTERPART) : byClasses(deviceClasses, look);
        };
    }

    private static AllocationChoice byClasses(List<String> deviceClasses, Function<String, ClassState> look) {
        for (String name : deviceClasses) {
            switch (look.apply(name)) {
                case THERE -> {}
                case MISSING -> {
                    return extended(missing(name));
                }
                case FORBIDDEN -> {
                    return extended("this user may not get the DeviceClass " + name);
                }
            }
        }
        return new AllocationChoice(
                GpuAllocation.RESOURCE_CLAIM, "the cluster has the DeviceClass " + String.join(" and ", deviceClasses));
    }

    /**
     * Returns a clause that names the first missing class. Empty if no class is missing, as far as this user may read
     * classes.
     *
     * @param look finds a class by its name
     */
    public static Optional<String> missing(List<String> deviceClasses, Function<String, ClassState> look) {
        return deviceClasses.stream()
                .filter(name -> look.apply(name) == ClassState.MISSING)
                .findFirst()
                .map(AllocationChoice::missing);
    }

    private static String missing(String deviceClass) {
        return "the cluster has no DeviceClass " + deviceClass + " in resource.k8s.io/v1";
    }

    private static AllocationChoice extended(String why) {
        return new AllocationChoice(GpuAllocation.EXTENDED_RESOURCE, why);
    }

    public boolean isClaim() {
        return allocation == GpuAllocation.RESOURCE_CLAIM;
    }
}

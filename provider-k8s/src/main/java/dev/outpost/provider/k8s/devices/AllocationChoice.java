package dev.outpost.provider.k8s.devices;

import dev.outpost.provider.k8s.config.GpuAllocation;
import java.util.List;
import java.util.function.Function;

/**
 * The way in which a machine gets its GPU.
 *
 * @param allocation {@code RESOURCE_CLAIM} or {@code EXTENDED_RESOURCE}
 * @param why a clause for people, without a full stop
 */
public record AllocationChoice(GpuAllocation allocation, String why) {

    /** What is known of a DeviceClass. */
    public enum ClassState {
        THERE,
        MISSING,
        /** This user may not look. */
        FORBIDDEN
    }

    private static final String FORCED = "outpost.k8s.gpu-allocation says so";

    /**
     * Chooses. Asks for DeviceClasses only where the setting leaves it open.
     *
     * @param setting the setting
     * @param deviceClasses the classes that the machine would ask; none where devices cannot express the request
     * @param look finds a class by its name
     */
    public static AllocationChoice of(
            GpuAllocation setting, List<String> deviceClasses, Function<String, ClassState> look) {
        return switch (setting) {
            case RESOURCE_CLAIM -> new AllocationChoice(GpuAllocation.RESOURCE_CLAIM, FORCED);
            case EXTENDED_RESOURCE -> extended(FORCED);
            case AUTO ->
                deviceClasses.isEmpty()
                        ? extended("claims have no counterpart of outpost.k8s.resource-name")
                        : byClasses(deviceClasses, look);
        };
    }

    private static AllocationChoice byClasses(List<String> deviceClasses, Function<String, ClassState> look) {
        for (String name : deviceClasses) {
            switch (look.apply(name)) {
                case THERE -> {}
                case MISSING -> {
                    return extended("the cluster has no DeviceClass " + name + " in resource.k8s.io/v1");
                }
                case FORBIDDEN -> {
                    return extended("this user may not get the DeviceClass " + name);
                }
            }
        }
        return new AllocationChoice(
                GpuAllocation.RESOURCE_CLAIM, "the cluster has the DeviceClass " + String.join(" and ", deviceClasses));
    }

    private static AllocationChoice extended(String why) {
        return new AllocationChoice(GpuAllocation.EXTENDED_RESOURCE, why);
    }

    public boolean isClaim() {
        return allocation == GpuAllocation.RESOURCE_CLAIM;
    }
}

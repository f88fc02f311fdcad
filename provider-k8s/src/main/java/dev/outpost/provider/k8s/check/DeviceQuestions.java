package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.DeviceKind;
import java.util.List;

/**
 * The settings by which machines claim devices.
 *
 * @param setting how machines ask for GPUs
 * @param resource the extended resource that they ask for otherwise; empty where they ask for no GPU
 * @param deviceClasses the DeviceClasses named in their claims; empty where the request has no counterpart among devices
 * @param kinds the kinds of device that are counted
 */
public record DeviceQuestions(
        GpuAllocation setting, String resource, List<String> deviceClasses, List<DeviceKind> kinds) {
    /** Machines ask for no GPU, or their allocation is not checked. */
    static final DeviceQuestions NONE = new DeviceQuestions(GpuAllocation.EXTENDED_RESOURCE, "", List.of(), List.of());

    public DeviceQuestions {
        deviceClasses = List.copyOf(deviceClasses);
        kinds = List.copyOf(kinds);
    }
}

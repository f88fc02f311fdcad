package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.DeviceKind;
import java.util.List;

/**
 * What machines ask a cluster where they may claim their GPUs as devices.
 *
 * @param setting how machines ask for GPUs
 * @param resource the extended resource that they ask for otherwise; empty where they ask for no GPU
 * @param deviceClasses the DeviceClasses that their claims ask; none where devices cannot express what is asked for
 * @param kinds the kinds of device that are counted
 */
public record DeviceQuestions(
        GpuAllocation setting, String resource, List<String> deviceClasses, List<DeviceKind> kinds) {
    /** Machines ask for no GPU, or how they do is not looked at. */
    static final DeviceQuestions NONE = new DeviceQuestions(GpuAllocation.EXTENDED_RESOURCE, "", List.of(), List.of());

    public DeviceQuestions {
        deviceClasses = List.copyOf(deviceClasses);
        kinds = List.copyOf(kinds);
    }
}

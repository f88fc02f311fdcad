package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.devices.DeviceKind;
import java.util.List;

/**
 * The settings by which machines claim devices.
 *
 * @param setting the method by which machines request GPUs
 * @param resource the extended resource that they request if they claim no device; empty if they request no GPU
 * @param deviceClasses the DeviceClasses named in their claims; empty if the request has no counterpart among devices
 * @param kinds the kinds of device that are counted
 */
public record DeviceQuestions(
        GpuAllocation setting, String resource, List<String> deviceClasses, List<DeviceKind> kinds) {
    /** No questions: machines request no GPU, or their allocation is not checked. */
    static final DeviceQuestions NONE = new DeviceQuestions(GpuAllocation.EXTENDED_RESOURCE, "", List.of(), List.of());

    public DeviceQuestions {
        deviceClasses = List.copyOf(deviceClasses);
        kinds = List.copyOf(kinds);
    }
}

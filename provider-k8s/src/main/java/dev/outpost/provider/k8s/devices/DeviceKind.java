package dev.outpost.provider.k8s.devices;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A kind of device that is suitable for a claim.
 *
 * @param name the user's name of the GPU, such as {@code A100-40GB}
 * @param deviceClass its DeviceClass
 * @param conditions the conditions on the device besides those of its class
 */
public record DeviceKind(String name, String deviceClass, List<DeviceCondition> conditions) {
    /** The DeviceClass of NVIDIA's driver for whole GPUs. */
    public static final String WHOLE = "gpu.nvidia.com";

    /** The DeviceClass of NVIDIA's driver for MIG slices. */
    public static final String SLICE = "mig.nvidia.com";

    public DeviceKind {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(deviceClass, "deviceClass");
        conditions = List.copyOf(conditions);
    }

    /**
     * Returns the reason, in a few words, why a device of the class does not meet the conditions. Empty if the device meets them, as far as
     * this client can decide.
     */
    Optional<String> excludes(DeviceFacts device) {
        return conditions.stream()
                .flatMap(condition -> condition.excludes(device).stream())
                .findFirst();
    }

    /** Returns true if a device may be of its class, as far as this client can decide without the class's selectors. */
    boolean mayBeOfClass(DeviceFacts device) {
        return switch (deviceClass) {
            case WHOLE -> isOfType(device, "gpu");
            case SLICE -> isOfType(device, "mig");
            default -> true;
        };
    }

    private static boolean isOfType(DeviceFacts device, String type) {
        return device.driver().equals(DeviceCondition.DRIVER)
                && device.text("type").filter(type::equals).isPresent();
    }
}

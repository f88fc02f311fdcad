package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A device of a ResourceSlice.
 *
 * @param driver the driver of the slice, such as {@code gpu.nvidia.com}
 * @param pool the pool of the slice; NVIDIA's driver names it after the node
 */
public record DeviceFacts(String driver, String pool, Device device) {
    private static final Set<String> KEEPING_AWAY = Set.of("NoSchedule", "NoExecute");

    /** Returns the text of an attribute that is a string or a version; empty if the device does not publish it. */
    Optional<String> text(String attribute) {
        return find(device.getAttributes(), attribute)
                .map(value -> value.getString() == null ? value.getVersion() : value.getString());
    }

    /** Returns a capacity in its own unit, which is bytes for memory; empty if the device does not publish it. */
    Optional<Quantity> amount(String capacity) {
        return find(device.getCapacity(), capacity).map(DeviceCapacity::getValue);
    }

    /** Finds a value. A name without a domain belongs to the driver's domain. */
    private <T> Optional<T> find(Map<String, T> values, String name) {
        return values == null
                ? Optional.empty()
                : Optional.ofNullable(values.getOrDefault(name, values.get(driver + "/" + name)));
    }

    /** Returns the first taint that prevents claims, as {@code key=value}. Claims of machines tolerate no taint. */
    Optional<String> taint() {
        return Optional.ofNullable(device.getTaints()).orElse(List.of()).stream()
                .filter(taint -> KEEPING_AWAY.contains(taint.getEffect()))
                .map(DeviceFacts::shown)
                .findFirst();
    }

    private static String shown(DeviceTaint taint) {
        boolean isBare = taint.getValue() == null || taint.getValue().isEmpty();
        return taint.getKey() + (isBare ? "" : "=" + taint.getValue());
    }

    /** Returns the name of the device for a sentence, such as {@code gpu-0 of a100-1 (NVIDIA A100-SXM4-80GB)}. */
    public String description() {
        return device.getName() + " of " + pool
                + text("productName").map(product -> " (" + product + ")").orElse("");
    }

    /** Returns the amounts that the device consumes of shared counters, by the id of the counter set. */
    Map<String, Map<String, Counter>> consumed() {
        return Optional.ofNullable(device.getConsumesCounters()).orElse(List.of()).stream()
                .collect(Collectors.toMap(
                        consumption -> driver + "/" + pool + "/" + consumption.getCounterSet(),
                        consumption -> consumption.getCounters()));
    }

    /** Returns the id of the device in its cluster: driver, pool and name. */
    String id() {
        return driver + "/" + pool + "/" + device.getName();
    }
}

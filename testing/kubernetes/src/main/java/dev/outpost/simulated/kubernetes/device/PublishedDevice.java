package dev.outpost.simulated.kubernetes.device;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A device of a slice.
 *
 * @param node the node that has the device
 */
record PublishedDevice(String driver, String pool, String node, Device device) {

    /** Returns the devices of the newest generation of each pool, in the order of their slices. */
    static List<PublishedDevice> of(List<ResourceSlice> slices) {
        Map<String, Long> newest = new HashMap<>();
        slices.forEach(
                slice -> newest.merge(pool(slice), slice.getSpec().getPool().getGeneration(), Math::max));
        return slices.stream()
                .filter(slice -> slice.getSpec().getPool().getGeneration().equals(newest.get(pool(slice))))
                .flatMap(PublishedDevice::of)
                .toList();
    }

    /** Drivers name their pools independently of each other. */
    private static String pool(ResourceSlice slice) {
        return slice.getSpec().getDriver() + "/" + slice.getSpec().getPool().getName();
    }

    private static Stream<PublishedDevice> of(ResourceSlice slice) {
        return slice.getSpec().getDevices().stream()
                .map(device -> new PublishedDevice(
                        slice.getSpec().getDriver(),
                        slice.getSpec().getPool().getName(),
                        slice.getSpec().getNodeName(),
                        device));
    }

    boolean isTainted(String... effects) {
        return taints().anyMatch(taint -> List.of(effects).contains(taint.getEffect()));
    }

    private Stream<DeviceTaint> taints() {
        return Optional.ofNullable(device.getTaints()).stream().flatMap(List::stream);
    }

    /** Returns the value of an attribute by its full name; empty if the device does not publish it. */
    Optional<DeviceAttribute> attribute(String name) {
        String ownPrefix = driver + "/";
        String plain = name.startsWith(ownPrefix) ? name.substring(ownPrefix.length()) : name;
        return Optional.ofNullable(device.getAttributes()).map(attributes -> attributes.get(plain));
    }

    boolean isIn(DeviceRequestAllocationResult result) {
        return driver.equals(result.getDriver())
                && pool.equals(result.getPool())
                && device.getName().equals(result.getDevice());
    }
}

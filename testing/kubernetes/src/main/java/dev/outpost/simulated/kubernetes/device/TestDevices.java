package dev.outpost.simulated.kubernetes.device;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelectorBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Acts as NVIDIA's DRA driver: publishes the devices of nodes, with the driver's names of classes, attributes and capacities. */
public final class TestDevices {
    private static final String DRIVER = "gpu.nvidia.com";

    private final ClusterObjects objects;

    public TestDevices(ClusterObjects objects) {
        this.objects = objects;
    }

    /** Makes the DeviceClasses {@code gpu.nvidia.com} and {@code mig.nvidia.com}. */
    public TestDevices install() {
        deviceClass("gpu.nvidia.com", "gpu");
        deviceClass("mig.nvidia.com", "mig");
        return this;
    }

    private void deviceClass(String name, String type) {
        objects.create(
                new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withSelectors(new DeviceSelectorBuilder()
                                .withNewCel("device.driver == 'gpu.nvidia.com' && "
                                        + "device.attributes['gpu.nvidia.com'].type == '" + type + "'")
                                .build())
                        .endSpec()
                        .build(),
                DeviceClass.class);
    }

    /** Publishes the devices of an existing node; they are removed with it. */
    public TestDevices publish(String node, Device... devices) {
        String uid =
                objects.find(Node.class, null, node).orElseThrow().getMetadata().getUid();
        objects.create(
                new ResourceSliceBuilder()
                        .withNewMetadata()
                        .withName(name(node))
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("Node")
                                .withName(node)
                                .withUid(uid)
                                .withController(true)
                                .build())
                        .endMetadata()
                        .withNewSpec()
                        .withDriver(DRIVER)
                        .withNodeName(node)
                        .withNewPool(1L, node, 1L)
                        .withDevices(devices)
                        .endSpec()
                        .build(),
                ResourceSlice.class);
        return this;
    }

    /**
     * Taints a device, as the driver does with an unhealthy one.
     *
     * @param effect {@code NoSchedule} keeps new claims away, {@code NoExecute} also ends pods that have the device
     */
    public void taint(String node, String device, String key, String effect) {
        edit(
                node,
                devices -> devices.stream()
                        .map(present -> present.getName().equals(device)
                                ? new DeviceBuilder(present)
                                        .addToTaints(new DeviceTaintBuilder()
                                                .withKey(key)
                                                .withEffect(effect)
                                                .build())
                                        .build()
                                : present)
                        .toList());
    }

    /** Removes a device from its slice, as drivers without taints do. */
    public void withdraw(String node, String device) {
        edit(
                node,
                devices -> devices.stream()
                        .filter(present -> !present.getName().equals(device))
                        .toList());
    }

    private void edit(String node, UnaryOperator<List<Device>> change) {
        objects.edit(
                ResourceSlice.class,
                null,
                name(node),
                DRIVER,
                slice -> new ResourceSliceBuilder(slice)
                        .editSpec()
                        .editPool()
                        .withGeneration(slice.getSpec().getPool().getGeneration() + 1)
                        .endPool()
                        .withDevices(change.apply(slice.getSpec().getDevices()))
                        .endSpec()
                        .build());
    }

    private static String name(String node) {
        return node + "-" + DRIVER + "-x7k2m";
    }

    // ---- devices

    /** Whole GPUs of one product, {@code gpu-0} and so on; every two of them share a PCIe root. */
    public static Device[] gpus(int count, String product, String memory, String capability) {
        return Stream.iterate(0, index -> index + 1)
                .limit(count)
                .map(index -> device("gpu-" + index, "gpu", product, memory, capability)
                        .addToAttributes("uuid", text("GPU-00000000-0000-0000-0000-00000000000" + index))
                        .addToAttributes("resource.kubernetes.io/pcieRoot", text("pci0000:" + (10 + index / 2)))
                        .build())
                .toArray(Device[]::new);
    }

    /** A whole GPU that publishes no memory, because NVML reports none. */
    public static Device withoutMemory(String product, String capability) {
        return new DeviceBuilder(gpus(1, product, "0", capability)[0])
                .withCapacity(null)
                .build();
    }

    /** A whole GPU that publishes nothing but its type. */
    public static Device withoutAttributes() {
        return new DeviceBuilder()
                .withName("gpu-0")
                .addToAttributes("type", text("gpu"))
                .build();
    }

    /** MIG slices of the first GPU of a node. */
    public static Device[] slices(int count, String profile, String product, String memory, String capability) {
        return Stream.iterate(0, index -> index + 1)
                .limit(count)
                .map(index -> device(
                                "gpu-0-mig-" + profile.replaceAll("[^a-z0-9]", "") + "-19-" + index,
                                "mig",
                                product,
                                memory,
                                capability)
                        .addToAttributes("profile", text(profile))
                        .addToAttributes("parentUUID", text("GPU-00000000-0000-0000-0000-000000000000"))
                        .build())
                .toArray(Device[]::new);
    }

    private static DeviceBuilder device(String name, String type, String product, String memory, String capability) {
        return new DeviceBuilder()
                .withName(name)
                .addToAttributes(Map.of(
                        "type",
                        text(type),
                        "productName",
                        text(product),
                        "brand",
                        text("Nvidia"),
                        "cudaComputeCapability",
                        version(capability),
                        "driverVersion",
                        version("580.105.8"),
                        "cudaDriverVersion",
                        version("13.0.0")))
                .addToCapacity(
                        "memory",
                        new DeviceCapacityBuilder()
                                .withValue(Quantity.parse(memory))
                                .build());
    }

    private static DeviceAttribute text(String value) {
        return new DeviceAttributeBuilder().withString(value).build();
    }

    private static DeviceAttribute version(String value) {
        return new DeviceAttributeBuilder().withVersion(value).build();
    }
}

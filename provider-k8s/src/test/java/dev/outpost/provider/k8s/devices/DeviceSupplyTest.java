package dev.outpost.provider.k8s.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.devices.DeviceSupply.Shortage;
import dev.outpost.provider.k8s.devices.DeviceSupply.Verdict;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DeviceSupplyTest {
    private static final ResourceSlice H100S = Slices.read("h100");
    private static final DeviceSupply SUPPLY = DeviceSupply.of(List.of(H100S, Slices.read("mig")), List.of());

    private static final DeviceKind H100 = kind("H100", "NVIDIA-H100-80GB-HBM3", 76_000, "9.0.0");
    private static final DeviceKind A100 = kind("A100", "NVIDIA-A100-SXM4-40GB", 36_239, "8.0.0");

    private static DeviceKind kind(String name, String product, long mebibytes, String capability) {
        return new DeviceKind(
                name,
                DeviceKind.WHOLE,
                List.of(
                        new DeviceCondition.Product(List.of(product)),
                        new DeviceCondition.Memory(mebibytes),
                        new DeviceCondition.Capability(capability)));
    }

    private static DeviceKind slice(String profile) {
        return new DeviceKind("A100", DeviceKind.SLICE, List.of(new DeviceCondition.Profile(profile)));
    }

    @Test
    void devicesOfAKindAreFound() {
        assertEquals(2, SUPPLY.of(H100).size());
        assertEquals(1, SUPPLY.free(H100));
        assertEquals(List.of("gpu.nvidia.com/xid=79"), SUPPLY.taints(H100));
        assertEquals(1, SUPPLY.of(slice("1g.5gb")).size());
        assertEquals(0, SUPPLY.of(A100).size());
    }

    @Test
    void theAttributeThatExcludesADeviceIsNamed() {
        assertEquals(
                new Shortage(Verdict.NONE_FITS, "of 2 devices none fits: 2 with productName NVIDIA H100 80GB HBM3"),
                SUPPLY.shortage(List.of(A100)));
        assertEquals(
                new Shortage(Verdict.NONE_FITS, "of 1 device none fits: 1 with profile 1g.5gb"),
                SUPPLY.shortage(List.of(slice("3g.20gb"))));
        assertEquals(
                new Shortage(Verdict.NONE_FITS, "of 2 devices none fits: 2 with memory 81559Mi"),
                SUPPLY.shortage(List.of(kind("H100", "NVIDIA-H100-80GB-HBM3", 90_000, "9.0.0"))));
        assertEquals(
                new Shortage(Verdict.NONE_FITS, "of 2 devices none fits: 2 with cudaComputeCapability 9.0.0"),
                SUPPLY.shortage(List.of(kind("H100", "NVIDIA-H100-80GB-HBM3", 76_000, "10.0.0"))));
    }

    @Test
    void devicesThatFitAreTakenOrTainted() {
        assertEquals(
                new Shortage(
                        Verdict.TAKEN,
                        "2 devices in the cluster fit, and none is free; tainted: 1 with gpu.nvidia.com/xid=79"),
                DeviceSupply.of(List.of(H100S), List.of(claim("h100-1", "gpu-0")))
                        .shortage(List.of(A100, H100)));
        ResourceSlice onlyTainted = new ResourceSliceBuilder(H100S)
                .editSpec()
                .withDevices(H100S.getSpec().getDevices().getLast())
                .endSpec()
                .build();
        assertEquals(
                new Shortage(
                        Verdict.TAINTED, "1 device in the cluster fits, but for a taint: 1 with gpu.nvidia.com/xid=79"),
                DeviceSupply.of(List.of(onlyTainted), List.of()).shortage(List.of(H100)));
    }

    /** A pod with two GPUs waits if only one is free, and the nodes determine whether a pod may use a device. */
    @Test
    void freeDevicesThatTheSchedulerDoesNotAllocateAreCounted() {
        assertEquals(
                new Shortage(
                        Verdict.UNUSABLE,
                        "2 devices in the cluster fit, 1 of them not claimed in this namespace: on nodes that the pod"
                                + " cannot use, too few on one node, or claimed elsewhere; tainted: 1 with"
                                + " gpu.nvidia.com/xid=79"),
                SUPPLY.shortage(List.of(A100, H100)));
    }

    /** A slice is not compared with the product of the preferred whole GPU. */
    @Test
    void eachDeviceIsJudgedByTheFirstKindOfItsClass() {
        assertEquals(
                new Shortage(
                        Verdict.NONE_FITS,
                        "of 3 devices none fits: 2 with productName NVIDIA H100 80GB HBM3, 1 with profile 1g.5gb"),
                SUPPLY.shortage(List.of(A100, slice("3g.20gb"))));
    }

    @Test
    void aDeviceThatIsOnlyAdministeredIsFree() {
        ResourceClaim administering = new ResourceClaimBuilder(claim("h100-1", "gpu-0"))
                .editStatus()
                .editAllocation()
                .editDevices()
                .editFirstResult()
                .withAdminAccess(true)
                .endResult()
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
        assertEquals(1, DeviceSupply.of(List.of(H100S), List.of(administering)).free(H100));
    }

    @Test
    void withoutDevicesOfTheClassItSaysSo() {
        assertEquals(
                new Shortage(Verdict.NONE_PUBLISHED, "no node publishes a device of the class gpu.nvidia.com"),
                DeviceSupply.of(List.of(Slices.read("mig")), List.of()).shortage(List.of(H100)));
    }

    /** The first alternative with a free device is chosen. */
    @Test
    void aFreeDeviceIsChosen() {
        assertEquals(
                List.of("gpu-0 of h100-1 (NVIDIA H100 80GB HBM3)"),
                SUPPLY.choice(List.of(A100, H100, slice("1g.5gb"))).stream()
                        .map(DeviceFacts::description)
                        .toList());
        assertEquals(List.of(), SUPPLY.choice(List.of(A100)));
    }

    /** The driver increases a pool's generation, and old slices still exist for a moment. */
    @Test
    void onlyTheNewestGenerationOfAPoolCounts() {
        ResourceSlice older = new ResourceSliceBuilder(H100S)
                .editMetadata()
                .withName("older")
                .endMetadata()
                .editSpec()
                .editPool()
                .withGeneration(0L)
                .endPool()
                .endSpec()
                .build();
        assertEquals(
                2, DeviceSupply.of(List.of(older, H100S), List.of()).of(H100).size());
    }

    private static ResourceClaim claim(String pool, String device) {
        return Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: other}
                status:
                  allocation:
                    devices:
                      results: [{request: gpu, driver: gpu.nvidia.com, pool: %s, device: %s}]
                """.formatted(pool, device), ResourceClaim.class);
    }

    @Test
    void devicesOfClaimsAreNotFree() {
        assertEquals(
                0,
                DeviceSupply.of(List.of(H100S), List.of(claim("h100-1", "gpu-0")))
                        .free(H100));
    }

    /** The driver publishes the slices that it can cut; each has its place among the memory slices 0 to 7 of the GPU. */
    @Test
    void slicesOfOneGpuExcludeEachOther() {
        assertEquals(List.of(1, 2, 2), freeOfDynamicMig());
        assertEquals(List.of(0, 0, 1), freeOfDynamicMig("gpu-0-mig-3g40gb-9-0"));
        assertEquals(List.of(0, 2, 1), freeOfDynamicMig("gpu-0-mig-3g40gb-9-4"));
        assertEquals(List.of(0, 1, 1), freeOfDynamicMig("gpu-0-mig-1g10gb-19-1"));
        assertEquals(List.of(0, 0, 0), freeOfDynamicMig("gpu-0"));
    }

    /** Whole GPUs, slices of the profile 1g.10gb and of 3g.40gb. */
    private static List<Integer> freeOfDynamicMig(String... allocated) {
        DeviceSupply supply = DeviceSupply.of(
                Slices.readAll("mig-dynamic"),
                Stream.of(allocated).map(device -> claim("mig-2", device)).toList());
        return Stream.of(H100, slice("1g.10gb"), slice("3g.40gb"))
                .map(supply::free)
                .toList();
    }

    @Test
    void aDeviceThatPublishesNoMemoryIsExcludedByIt() {
        assertEquals(
                new Shortage(Verdict.NONE_FITS, "of 1 device none fits: 1 with memory missing"),
                DeviceSupply.of(List.of(Slices.read("gb10")), List.of())
                        .shortage(List.of(kind("GB10", "NVIDIA-GB10", 90_000, "12.1.0"))));
    }
}

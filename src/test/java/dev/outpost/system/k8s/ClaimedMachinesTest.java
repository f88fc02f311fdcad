package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.Lease;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.device.TestDevices;
import dev.outpost.simulated.kubernetes.node.TestNode;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines get the devices that they claim, or report why they do not. */
class ClaimedMachinesTest {
    private final Provided provided = Provided.withDevices();

    /** These devices and nodes are those of the test cluster. */
    @BeforeEach
    void needLevers() {
        provided.levers();
    }

    @AfterEach
    void close() {
        provided.awaitNothingLeft();
        provided.close();
    }

    private List<DeviceRequestAllocationResult> allocated() {
        return provided.objects(ResourceClaim.class).stream()
                .flatMap(claim -> claim.getStatus().getAllocation().getDevices().getResults().stream())
                .toList();
    }

    private Lease lease(String gpu, String... options) {
        return provided.leaseOf(gpu, options);
    }

    private String refusal(String gpu, Duration time, String... options) {
        String[] all = Stream.concat(Stream.of(options), Stream.of("start-timeout", time.toString()))
                .toArray(String[]::new);
        return assertThrows(RuntimeException.class, () -> lease(gpu, all)).getMessage();
    }

    // ---- the right machine

    @Test
    void aGpuIsFoundByItsProduct() {
        Lease lease = lease("A100-40GB");
        assertEquals("a100-40", allocated().getFirst().getPool());
        provided.release(lease);
    }

    @Test
    void aFamilyIsAnyOfItsProducts() {
        Lease lease = lease("A100");
        assertEquals("a100-1", allocated().getFirst().getPool());
        provided.release(lease);
    }

    @Test
    void anyIsWhateverThereIs() {
        Lease lease = lease("any");
        assertEquals(1, allocated().size());
        provided.release(lease);
    }

    @Test
    void aSliceIsFoundByItsProfile() {
        Lease lease = lease("H100", "resource-name", "nvidia.com/mig-1g.10gb");
        assertEquals("mig-1", allocated().getFirst().getPool());
        provided.release(lease);
    }

    @Test
    void severalGpusAreOfOneNodeAndShareWhatTheTopologySays() {
        MachineOptions two = new MachineOptions().gpuCount(2).option("gpu-topology", "resource.kubernetes.io/pcieRoot");
        provided.levers().devices().taint("h100-1", "gpu-0", "gpu.nvidia.com/xid", "NoSchedule");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "H100", two)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            assertEquals(
                    List.of("gpu-2", "gpu-3"),
                    allocated().stream()
                            .map(DeviceRequestAllocationResult::getDevice)
                            .toList());
        }
    }

    @Test
    void membersOfAGroupClaimADeviceEach() {
        try (MachineGroup group = MachineGroup.of(provided.provider, "H100", 3, new MachineOptions())) {
            assertEquals(6.0, group.machine().ones(2, 3).sum().itemDouble());
            assertEquals(3, provided.objects(ResourceClaim.class).size());
            assertEquals(3, provided.objects(Pod.class).size());
        }
    }

    @Test
    void alternativesAreTakenInTheirOrder() {
        Lease second = lease("B200", "alternatives", "H100,A100");
        assertEquals("gpu/h100", allocated().getFirst().getRequest());
        provided.release(second);
        provided.awaitNothingLeft();
        Lease first = lease("H100", "alternatives", "A100");
        assertEquals("gpu/h100", allocated().getFirst().getRequest());
        provided.release(first);
    }

    // ---- none

    @Test
    void noneIsLeft() throws Exception {
        provided.levers().devices().withdraw("a100-40", "gpu-1");
        Lease last = lease("A100-40GB");
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("A100-40GB", time);
            assertTrue(refusal.contains("1 device in the cluster fits, and none is free"), refusal);
            assertTrue(refusal.contains("It starts when one is given back"), refusal);
        });
        provided.release(last);
    }

    @Test
    void theAttributeThatExcludesDevicesIsNamed() throws Exception {
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("B200", time);
            assertTrue(
                    refusal.contains("no device for the claim: 5 of 5 nodes have no device for the claim; of 14 devices"
                            + " none fits: 8 with productName NVIDIA A100-SXM4-80GB, 4 with productName NVIDIA H100"
                            + " 80GB HBM3, 2 with productName NVIDIA A100-SXM4-40GB"),
                    refusal);
        });
    }

    /** Without the permission to list devices, only the scheduler's message is known. */
    @Test
    void devicesThatMayNotBeListedAreLeftOut() throws Exception {
        provided.levers().deny(Verb.LIST, "resourceslices");
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("B200", time);
            assertTrue(refusal.contains("5 of 5 nodes have no device for the claim"), refusal);
            assertTrue(refusal.contains("deploy/components/device-reader"), refusal);
        });
    }

    // ---- changes

    @Test
    void anUnhealthyDeviceIsNotAllocated() throws Exception {
        provided.levers().devices().taint("a100-40", "gpu-0", "gpu.nvidia.com/xid", "NoSchedule");
        Lease lease = lease("A100-40GB");
        assertEquals("gpu-1", allocated().getFirst().getDevice());
        provided.release(lease);
        provided.awaitNothingLeft();
        provided.levers().devices().withdraw("a100-40", "gpu-1");
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("A100-40GB", time);
            assertTrue(
                    refusal.contains("1 device in the cluster fits, but for a taint: 1 with gpu.nvidia.com/xid"),
                    refusal);
        });
    }

    @Test
    void aMachineWhoseDeviceIsLostEndsWithTheReason() {
        Lease lease = lease("A100-40GB");
        provided.levers()
                .devices()
                .taint("a100-40", allocated().getFirst().getDevice(), "gpu.nvidia.com/gpu-lost", "NoExecute");
        String reason = provided.loss(lease).reason();
        assertTrue(reason.contains("the GPU on the node a100-40 is unhealthy"), reason);
        provided.release(lease);
    }

    @Test
    void aNodeThatLeavesTakesItsDevicesAlong() throws Exception {
        provided.levers().removeNode("a100-40");
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("A100-40GB", time);
            assertTrue(refusal.contains("of 12 devices none fits"), refusal);
        });
    }

    @Test
    void aMachineThatWaitsGetsTheDeviceOfANodeThatComes() {
        provided.levers().removeNode("a100-40");
        Thread.startVirtualThread(() -> {
            Await.until("there is a Job", () -> !provided.objects(Job.class).isEmpty());
            provided.levers().addNode(TestNode.named("a100-41"));
            provided.levers()
                    .devices()
                    .publish("a100-41", TestDevices.gpus(1, "NVIDIA A100-SXM4-40GB", "40Gi", "8.0.0"));
        });
        Lease lease = lease("A100-40GB");
        assertEquals("a100-41", allocated().getFirst().getPool());
        provided.release(lease);
    }

    /** A device whose memory NVML does not report. */
    @Test
    void aDeviceThatPublishesNoMemoryKeepsNoOtherFromBeingAllocated() {
        provided.levers().addNode(TestNode.named("a100-0"));
        provided.levers().devices().publish("a100-0", TestDevices.withoutMemory("NVIDIA A100-SXM4-40GB", "8.0.0"));
        Lease lease = lease("A100-40GB");
        assertEquals("a100-40", allocated().getFirst().getPool());
        provided.release(lease);
    }

    // ---- before a start

    private Optional<GpuAvailability> availability(String gpu) {
        try (MachineFleet fleet = provided.provider.open("planned", Map.of())) {
            return fleet.availability(GpuCatalogue.standard().find(gpu));
        }
    }

    @Test
    void aPlanNamesTheDevice() {
        Lease lease = lease("A100-40GB");
        assertEquals(
                Optional.of(new GpuAvailability(true, "the device gpu-1 of a100-40 (NVIDIA A100-SXM4-40GB)")),
                availability("A100-40GB"));
        assertEquals(
                Optional.of(new GpuAvailability(
                        true, "the device gpu-0 of h100-1 (NVIDIA H100 80GB HBM3), or one of 3 others like it")),
                availability("H100"));
        provided.release(lease);
    }

    @Test
    void aPlanSaysWhyThereIsNoDevice() {
        provided.levers().devices().withdraw("a100-40", "gpu-1");
        Lease lease = lease("A100-40GB");
        assertEquals(
                Optional.of(new GpuAvailability(false, "1 device in the cluster fits, and none is free")),
                availability("A100-40GB"));
        assertEquals(
                Optional.of(new GpuAvailability(
                        false,
                        "of 13 devices none fits: 8 with productName NVIDIA A100-SXM4-80GB, 4 with productName NVIDIA"
                                + " H100 80GB HBM3, 1 with productName NVIDIA A100-SXM4-40GB")),
                availability("B200"));
        provided.release(lease);
    }

    @Test
    void aPlanTellsNothingWhereItCannotSee() {
        provided.levers().deny(Verb.LIST, "resourceslices");
        assertEquals(Optional.empty(), availability("A100"));
        provided.levers().deny(Verb.GET, "deviceclasses");
        assertEquals(Optional.empty(), availability("A100"));
    }

    // ---- cleanup

    @Test
    void aSweepLeavesClaimsOfALiveMachine() {
        Lease lease = lease("A100-40GB");
        assertEquals(List.of(), sweep());
        assertEquals(1, provided.objects(ResourceClaimTemplate.class).size());
        assertEquals(1, provided.objects(ResourceClaim.class).size());
        provided.release(lease);
    }

    private List<String> sweep() {
        return provided.provider.keeper().orElseThrow().sweep().await().atMost(Provided.TIMEOUT);
    }

    // ---- the way

    @Test
    void theSettingForcesTheExtendedResource() throws Exception {
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("A100", time, "gpu-allocation", "extended-resource");
            assertTrue(refusal.contains("none of 5 nodes is labelled as an A100"), refusal);
        });
        assertEquals(0, provided.levers().made("resourceclaims"));
    }

    @Test
    void whoMayNotLookForTheClassAsksForTheExtendedResource() throws Exception {
        provided.levers().deny(Verb.GET, "deviceclasses");
        Await.withEnoughTime(Provided.TIMINGS.hopeless(), time -> {
            String refusal = refusal("A100", time);
            assertTrue(refusal.contains("none of 5 nodes is labelled as an A100"), refusal);
        });
    }
}

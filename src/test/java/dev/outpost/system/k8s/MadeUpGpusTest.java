package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.system.realcluster.Scripts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** GPUs of a real cluster's node are given to machines, run out, fail and leave, as devices and as an extended resource. */
@Tag("real-cluster")
class MadeUpGpusTest {
    private static final String SHORT = "15s";

    /** How the node offers its GPUs. */
    private enum Offer {
        EXTENDED_RESOURCE("extended-resource", "devicePlugin"),
        DEVICES("resource-claim", "dra");

        private final String setting;
        private final String list;

        Offer(String setting, String list) {
            this.setting = setting;
            this.list = list;
        }
    }

    private Scripts scripts;
    private Path inventory;
    private String original;
    private Provided provided;

    @BeforeEach
    void remember() throws IOException {
        scripts = Scripts.open();
        inventory = scripts.home("run/gpus.json");
        original = Files.readString(inventory);
    }

    @AfterEach
    void restore() throws IOException {
        try {
            if (provided != null) {
                provided.close();
            }
        } finally {
            if (original != null) {
                write(original);
            }
        }
    }

    private void write(String text) throws IOException {
        Path next = inventory.resolveSibling("gpus.json.new");
        Files.writeString(next, text);
        Files.move(next, inventory, StandardCopyOption.ATOMIC_MOVE);
    }

    private void offer(Offer offer, int count, String gpu) throws IOException {
        write("{\"" + offer.list + "\": [" + String.join(", ", Collections.nCopies(count, gpu)) + "]}");
    }

    private static String healthy(String model) {
        return "{\"model\": \"" + model + "\"}";
    }

    private void open(Offer offer) {
        provided = Provided.with(Map.of("gpu-allocation", offer.setting, "resource-name", "nvidia.com/gpu"));
    }

    /** The number of GPUs of the containers of the machine's pod, as an extended resource. */
    private int counted() {
        return provided.objects(Pod.class).getFirst().getSpec().getContainers().stream()
                .map(container -> container.getResources().getLimits().get("nvidia.com/gpu"))
                .mapToInt(limit -> Integer.parseInt(limit.getAmount()))
                .sum();
    }

    private List<DeviceRequestAllocationResult> allocated() {
        return provided.objects(ResourceClaim.class).stream()
                .flatMap(claim -> claim.getStatus().getAllocation().getDevices().getResults().stream())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "EXTENDED_RESOURCE, A100, 1, A100-80GB",
        "EXTENDED_RESOURCE, A100-40GB, 1, A100-40GB",
        "EXTENDED_RESOURCE, H100, 2, H100-80GB",
        "DEVICES, A100, 1, A100-80GB",
        "DEVICES, A100-40GB, 1, A100-40GB",
        "DEVICES, H100, 2, H100-80GB"
    })
    void machineHasTheGpusThatItIsNamedAfter(Offer offer, String name, int count, String model) throws IOException {
        offer(offer, count, healthy(model));
        open(offer);
        MachineOptions options = new MachineOptions().gpuCount(count);
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, name, options)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            assertEquals(count, offer == Offer.DEVICES ? allocated().size() : counted());
        }
        provided.awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void anotherModelIsNotGiven(Offer offer) throws IOException {
        offer(offer, 2, healthy("A100-80GB"));
        open(offer);
        String refusal = assertThrows(RuntimeException.class, () -> provided.leaseOf("H100", "start-timeout", SHORT))
                .getMessage();
        assertTrue(
                refusal.contains(
                        offer == Offer.DEVICES
                                ? "none fits: 2 with productName NVIDIA A100-SXM4-80GB"
                                : "is not labelled as an H100"),
                refusal);
        provided.awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void startThatFindsNoneFreeGetsTheOneThatIsGivenBack(Offer offer) throws IOException {
        offer(offer, 1, healthy("A100-80GB"));
        open(offer);
        Lease first = provided.lease();
        String refusal = provided.refusal("start-timeout", SHORT);
        assertTrue(refusal.contains("none is free"), refusal);
        CompletableFuture<Lease> second = CompletableFuture.supplyAsync(provided::lease);
        provided.await(
                "the second machine has a pod",
                () -> provided.objects(Pod.class).size() == 2);
        provided.release(first);
        provided.release(second.join());
        provided.awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void failedGpuIsNotGivenUntilItIsWell(Offer offer) throws IOException {
        offer(offer, 1, "{\"model\": \"A100-80GB\", \"unhealthy\": true}");
        open(offer);
        String refusal = provided.refusal("start-timeout", SHORT);
        assertTellsOfNoGpu(offer, refusal);
        CompletableFuture<Lease> waiting = CompletableFuture.supplyAsync(provided::lease);
        provided.await(
                "the machine has a pod", () -> !provided.objects(Pod.class).isEmpty());
        offer(offer, 1, healthy("A100-80GB"));
        provided.release(waiting.join());
        provided.awaitNothingLeft();
    }

    /** The DRA driver leaves a failed device out; users who may not read nodes cannot tell a failed GPU from one in use. */
    private static void assertTellsOfNoGpu(Offer offer, String refusal) {
        assertTrue(
                offer == Offer.DEVICES
                        ? refusal.contains("no device")
                        : refusal.contains("none is free") && refusal.contains("unhealthy"),
                refusal);
    }

    /** After a failure the scheduler skips the GPU; the machine that has it continues until a program fails on it. */
    @ParameterizedTest
    @EnumSource
    void gpuThatFailsInUseIsNotGivenAgain(Offer offer) throws IOException {
        offer(offer, 1, healthy("A100-80GB"));
        open(offer);
        Lease lease = provided.lease();
        offer(offer, 1, "{\"model\": \"A100-80GB\", \"unhealthy\": true}");
        provided.release(lease);
        provided.awaitNothingLeft();
        String refusal = provided.refusal("start-timeout", SHORT);
        assertTellsOfNoGpu(offer, refusal);
        offer(offer, 1, healthy("A100-80GB"));
        provided.release(provided.lease());
        provided.awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void nodeThatLeavesLosesItsMachineAndGivesOthersWhenItIsBack(Offer offer) throws IOException {
        offer(offer, 1, healthy("A100-80GB"));
        open(offer);
        Lease lease = provided.lease();
        scripts.fault("kill", "kubelet");
        try {
            scripts.kubectl("delete", "node", "node1");
            MachineLoss loss = provided.loss(lease);
            assertTrue(loss.reason().contains("node"), loss::reason);
        } finally {
            scripts.fault("start", "kubelet");
        }
        provided.release(lease);
        provided.release(provided.lease());
        provided.awaitNothingLeft();
    }
}

package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import dev.outpost.types.MachineLostException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests groups on a cluster: pods of one Indexed Job, or containers of one pod. */
@Tag("real-cluster")
class GroupOnKubernetesTest {
    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    /** Sums rows that three members have parts of, which needs an exchange. */
    private static void assertComputes(MachineGroup group) {
        try (Tensor rows = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 4, 2), 0);
                Tensor sums = rows.sum(0)) {
            assertEquals(HostTensor.of(new float[] {16, 20}), sums.toHost());
            assertTrue(group.stats().totalBytes() > 0, () -> group.stats().toString());
        }
    }

    @Test
    void membersArePodsOfOneJob() {
        try (MachineGroup group = MachineGroup.of(provided.provider, "A100", 3, new MachineOptions())) {
            assertComputes(group);
            assertEquals(1, provided.objects(Job.class).size());
            assertEquals(
                    "Indexed", provided.objects(Job.class).getFirst().getSpec().getCompletionMode());
            assertEquals(3, provided.objects(Pod.class).size());
            assertEquals(1, provided.objects(NetworkPolicy.class).size());
            Map<String, String> secret =
                    provided.objects(Secret.class).getFirst().getData();
            assertEquals(3 * 3 + 1, secret.size(), secret.keySet()::toString);
            Set<String> keys = new HashSet<>(secret.values());
            assertEquals(secret.size(), keys.size(), "no member has another one's key");
        }
        provided.awaitNothingLeft();
    }

    @Test
    void gpusOfOneMachineAreContainersOfOnePod() {
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", new MachineOptions().gpuCount(4))) {
            assertComputes(MachineGroup.of(machine));
            List<Pod> pods = provided.objects(Pod.class);
            assertEquals(1, pods.size());
            assertEquals(4, pods.getFirst().getSpec().getContainers().size());
        }
        provided.awaitNothingLeft();
    }

    @Test
    void membersAreReachedByForwardedPorts() {
        MachineOptions forwarded = new MachineOptions().option("endpoint", "port-forward");
        try (MachineGroup group = MachineGroup.of(provided.provider, "A100", 2, forwarded)) {
            assertComputes(group);
        }
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", forwarded.gpuCount(2))) {
            assertComputes(MachineGroup.of(machine));
        }
        provided.awaitNothingLeft();
    }

    @Test
    void theMemberThatIsLostIsNamed() {
        try (MachineGroup group = MachineGroup.of(provided.provider, "A100", 3, new MachineOptions())) {
            assertComputes(group);
            Pod second = provided.objects(Pod.class).stream()
                    .filter(pod -> pod.getMetadata().getName().contains("-1-"))
                    .findFirst()
                    .orElseThrow();
            provided.levers().pods().fail(second.getMetadata().getName(), new PodFailure.OutOfMemory());
            MachineLostException lost = assertThrows(MachineLostException.class, () -> {
                while (true) {
                    assertComputes(group);
                }
            });
            assertTrue(lost.getMessage().contains("k8s-A100x3[1]"), lost::getMessage);
        }
        provided.awaitNothingLeft();
    }

    /** Two nodes have eight GPUs each. */
    @Test
    void aGroupThatDoesNotFitSaysWhatItWaitsForAndLeavesNothing() {
        MachineOptions hurried = new MachineOptions().option("start-timeout", "2s");
        try (MachineGroup group = MachineGroup.of(provided.provider, "A100", 17, hurried)) {
            var refused = assertThrows(RuntimeException.class, group::awaitReady);
            assertTrue(refused.getMessage().contains("not ready within 2 s"), refused::getMessage);
        } catch (RuntimeException failure) {
            assertTrue(failure.getMessage().contains("not ready within 2 s"), failure::getMessage);
        }
        provided.awaitNothingLeft();
    }
}

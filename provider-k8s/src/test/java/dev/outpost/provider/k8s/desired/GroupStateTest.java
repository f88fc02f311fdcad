package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GroupStateTest {
    private static final String UID = "6f1b1d5e-1c3f-4c53-9d0e-2f1f5a1f2b3c";

    private static GroupRequest pods(int members, String... settings) {
        return new GroupRequest(MachineSpecFixtures.of("A100", settings), members, false);
    }

    private static GroupRequest onePod(int members) {
        return new GroupRequest(MachineSpecFixtures.of("A100"), members, true);
    }

    private static PodSpec pod(GroupRequest group) {
        return GroupState.job(group).getSpec().getTemplate().getSpec();
    }

    @Test
    void aGroupIsOneIndexedJobThatEndsWithItsFirstMember() {
        Job job = GroupState.job(pods(4));
        assertEquals("Indexed", job.getSpec().getCompletionMode());
        assertEquals(4, job.getSpec().getCompletions());
        assertEquals(4, job.getSpec().getParallelism());
        assertEquals(0, job.getSpec().getBackoffLimit());
        assertEquals(job.getMetadata().getName(), pod(pods(4)).getSubdomain());
    }

    @Test
    void kueueAdmitsAllMembersOrNone() {
        Job job = GroupState.job(pods(4, "queue", "research"));
        assertEquals("research", job.getMetadata().getLabels().get(MachineLabels.QUEUE));
        assertTrue(job.getSpec().getSuspend());
    }

    @Test
    void membersOfOnePodHaveAGpuAndPortsEach() {
        PodSpec pod = pod(onePod(4));
        assertEquals(1, GroupState.job(onePod(4)).getSpec().getCompletions());
        assertEquals(4, pod.getContainers().size());
        Set<Integer> ports = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Container container : pod.getContainers()) {
            assertEquals(
                    "1",
                    container.getResources().getLimits().get("nvidia.com/gpu").getAmount());
            container.getPorts().forEach(port -> {
                assertTrue(ports.add(port.getContainerPort()), port::toString);
                assertTrue(names.add(port.getName()) && port.getName().length() <= 15, port::toString);
            });
            assertTrue(names.add(container.getName()));
        }
        assertEquals("machine", pod.getContainers().getFirst().getName());
        String told = pod.getContainers().get(2).getEnv().stream()
                .filter(variable -> variable.getName().equals("OUTPOST_RUNTIME_PORT"))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertEquals(String.valueOf(GroupState.port(onePod(4), 2)), told);
        Integer probed = pod.getContainers()
                .get(2)
                .getReadinessProbe()
                .getHttpGet()
                .getPort()
                .getIntVal();
        assertTrue(ports.contains(probed), pod::toString);
    }

    /** A member must not read the key of another one. */
    @Test
    void aContainerSeesTheKeyOfItsOwnMemberOnly() {
        assertEquals(
                "$(JOB_COMPLETION_INDEX)",
                keyMount(pod(pods(4)).getContainers().getFirst()).getSubPathExpr());
        List<Container> containers = pod(onePod(3)).getContainers();
        for (int rank = 0; rank < 3; rank++) {
            assertEquals(String.valueOf(rank), keyMount(containers.get(rank)).getSubPathExpr());
        }
    }

    private static VolumeMount keyMount(Container container) {
        return container.getVolumeMounts().stream()
                .filter(mount -> mount.getName().equals(MachinePod.KEY))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSecretHoldsWhatTheVolumeShows() {
        GroupRequest group = pods(3);
        List<MachineKey> keys = IntStream.range(0, 3)
                .mapToObj(rank -> MachineKey.create(InstantSource.system(), new SecureRandom()))
                .toList();
        Secret secret = GroupState.secret(group, keys, "grant of the group", UID);
        List<KeyToPath> shown = pod(group).getVolumes().stream()
                .filter(volume -> volume.getSecret() != null
                        && volume.getSecret().getSecretName().equals(group.id()))
                .flatMap(volume -> volume.getSecret().getItems().stream())
                .toList();
        Set<String> names = new HashSet<>();
        shown.forEach(item -> names.add(item.getKey()));
        assertEquals(secret.getData().keySet(), names);
        assertEquals(10, names.size());
        assertThrows(
                IllegalArgumentException.class,
                () -> GroupState.secret(group, keys.subList(0, 2), "grant of the group", UID));
    }

    @Test
    void onlyMembersReachThePortsThatMembersOpenForEachOther() {
        NetworkPolicy policy = GroupState.policy(pods(4), UID);
        var ingress = policy.getSpec().getIngress();
        assertEquals(
                MachineLabels.of("outpost-x7k2m9qd"),
                ingress.get(0).getFrom().getFirst().getPodSelector().getMatchLabels());
        assertTrue(ingress.get(0).getPorts().isEmpty());
        assertEquals(
                MachineLabels.of("outpost-x7k2m9qd"),
                policy.getSpec()
                        .getEgress()
                        .getFirst()
                        .getTo()
                        .getFirst()
                        .getPodSelector()
                        .getMatchLabels());
        assertEquals(2, ingress.get(1).getPorts().size());
        assertTrue(ingress.get(1).getFrom().isEmpty());
        assertEquals(
                8,
                GroupState.policy(onePod(4), UID)
                        .getSpec()
                        .getIngress()
                        .get(1)
                        .getPorts()
                        .size());
    }

    @Test
    void podsAreNearEachOtherAndOnePodNeedsNoAffinityForThat() {
        var terms = pod(pods(2)).getAffinity().getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution();
        assertEquals(
                List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"),
                terms.stream()
                        .map(term -> term.getPodAffinityTerm().getTopologyKey())
                        .toList());
        // The GPU's requirements on the node stay.
        assertFalse(pod(pods(2)).getAffinity().getNodeAffinity() == null);
    }

    @Test
    void eachMemberHasAName() {
        assertEquals("outpost-x7k2m9qd-2.outpost-x7k2m9qd.team.svc", GroupState.host(pods(4), 2, "team"));
        assertEquals("outpost-x7k2m9qd-0.outpost-x7k2m9qd.team.svc", GroupState.host(onePod(4), 2, "team"));
        var service = GroupState.service(pods(4), UID);
        assertEquals("None", service.getSpec().getClusterIP());
        assertTrue(service.getSpec().getPublishNotReadyAddresses());
    }

    @Test
    void countsThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> pods(0));
        assertEquals(
                "gpuCount: expected 1 to 16 in one pod, got 17",
                assertThrows(IllegalArgumentException.class, () -> onePod(17)).getMessage());
    }

    @Test
    void aMemberKnowsTheGrantAndWaitsForTheOthers() {
        for (GroupRequest group : List.of(pods(2, "start-timeout", "20m"), onePod(2))) {
            for (Container container : pod(group).getContainers()) {
                assertEquals("/var/run/outpost/group/group", variable(container, "OUTPOST_RUNTIME_PEERS_GRANT_FILE"));
                assertEquals(
                        group.machine().config().startTimeout().toString(),
                        variable(container, "OUTPOST_RUNTIME_END_FIRST"));
            }
        }
    }

    @Test
    void clientsFromOutsideReachEachMemberByAServiceOfItsOwn() {
        Service third = GroupState.exposed(pods(4, "service-type", "node-port"), 2, UID);
        assertEquals("NodePort", third.getSpec().getType());
        assertEquals("2", third.getSpec().getSelector().get(MachineLabels.INDEX));
        Service inPod = GroupState.exposed(onePod(4), 2, UID);
        assertFalse(inPod.getSpec().getSelector().containsKey(MachineLabels.INDEX));
        assertEquals(
                50055, inPod.getSpec().getPorts().getFirst().getTargetPort().getIntVal());
    }

    private static String variable(Container container, String name) {
        return container.getEnv().stream()
                .filter(variable -> variable.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }
}

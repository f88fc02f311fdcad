package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.machine.GroupLaunch;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against an API server that keeps what it is given. */
@Timeout(20)
@EnableKubernetesMockClient(crud = true)
class GroupLaunchTest {
    KubernetesClient client;

    private final GroupRequest group = new GroupRequest(Requests.of("A100"), 3, false);

    private static List<MachineKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(rank -> MachineKey.create(InstantSource.system(), new SecureRandom()))
                .toList();
    }

    @Test
    void allObjectsAreThereBeforeThePodsAre() {
        Job job = new GroupLaunch(Quick.cluster(client), group).launch(keys(3), "grant of the group");
        assertFalse(job.getSpec().getSuspend());
        assertFalse(HeldJob.isHeld(job));
        assertEquals(3, job.getSpec().getParallelism());
        assertNotNull(client.secrets().inNamespace("test").withName(group.id()).get());
        assertNotNull(client.services().inNamespace("test").withName(group.id()).get());
        assertNotNull(client.network()
                .v1()
                .networkPolicies()
                .inNamespace("test")
                .withName(group.id())
                .get());
    }

    @Test
    void aGroupThatCannotBeThereWholeIsNotThereAtAll() {
        GroupLaunch launch = new GroupLaunch(Quick.cluster(client), group);
        assertThrows(IllegalArgumentException.class, () -> launch.launch(keys(2), "grant of the group"));
        assertNull(client.batch()
                .v1()
                .jobs()
                .inNamespace("test")
                .withName(group.id())
                .get());
    }

    @Test
    void aGroupIsReadyWhenAllMembersAre() {
        Job job = GroupState.job(group);
        assertFalse(GroupLaunch.isReady(job));
        assertFalse(GroupLaunch.isReady(ready(job, 2)));
        assertTrue(GroupLaunch.isReady(ready(job, 3)));
    }

    private static Job ready(Job job, int count) {
        return new JobBuilder(job).withNewStatus().withReady(count).endStatus().build();
    }
}

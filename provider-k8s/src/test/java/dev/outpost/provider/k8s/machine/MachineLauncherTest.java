package dev.outpost.provider.k8s.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.task.CancellableDeadline;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the objects of a machine that a control plane requests, whose name may have been used before. */
class MachineLauncherTest {
    private static final MachineKey KEY = MachineKey.create(InstantSource.system(), new SecureRandom());

    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();
    private final Cluster cluster = Quick.cluster(client);

    @AfterEach
    void close() {
        cluster.close();
        api.close();
    }

    private Job launch() {
        LifetimePolicy lifetime =
                new LifetimePolicy.Controlled("lab", MachineBounds.NONE, List.of(), Map.of(), Optional.empty());
        KubernetesMachineSpec request = new KubernetesMachineSpec(
                MachineObjects.ID,
                GpuType.ANY,
                lifetime,
                "ada@laptop",
                SettingsReader.of(Map.of("gpu-allocation", "resource-claim")));
        StartContext context = StartContext.of(
                new CancellableDeadline(Await.GUARD, System::nanoTime), step -> {}, Quick.surroundings());
        return MachineLauncher.of(cluster, request, context, CompletableFuture.completedFuture(KEY));
    }

    /** They are deleted with the earlier Job, so the new machine would lose them later. */
    static Stream<HasMetadata> ofAnEarlierJob() {
        Job earlier = MachineObjects.job();
        return Stream.of(
                MachineObjects.secret(earlier), MachineObjects.service(earlier), MachineObjects.claimTemplate(earlier));
    }

    @ParameterizedTest
    @MethodSource("ofAnEarlierJob")
    void anObjectOfAnEarlierJobIsNotTaken(HasMetadata left) {
        client.resource(left).inNamespace("test").create();
        ClusterException refused = assertThrows(ClusterException.class, this::launch);
        assertEquals(
                "the " + left.getKind() + " " + MachineObjects.ID
                        + " of an earlier Job of that name is still being removed. Ask again in a moment.",
                refused.getMessage());
    }

    @Test
    void aLaunchThatIsRepeatedTakesWhatIsThere() {
        String uid = launch().getMetadata().getUid();
        Job again = launch();
        assertEquals(uid, again.getMetadata().getUid());
        assertFalse(again.getSpec().getSuspend());
    }
}

package dev.outpost.provider.k8s.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.task.WakeSignal;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mock keeps objects and sends events; here it is also the one who moves pods. */
class MachineObserverTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    private final WakeSignal news = new WakeSignal();
    private MachineObserver eye;

    @BeforeEach
    void create() {
        Job job = client.resource(MachineObjects.job()).inNamespace("test").create();
        eye = new MachineObserver(Quick.cluster(client), job, news, Quick.surroundings());
    }

    @AfterEach
    void close() {
        eye.close();
        api.close();
    }

    @Test
    void thereIsNoPodAtFirst() {
        ObservedMachine seen = eye.look(LONG);
        assertEquals(MachineObjects.ID, seen.job().orElseThrow().getMetadata().getName());
        assertEquals(Optional.empty(), seen.pod());
    }

    @Test
    void watchEventUpdatesTheObserverWithoutARequest() throws InterruptedException {
        eye.look(LONG);
        create(MachineObjects.pending(MachineObjects.ID));
        awaitPhase("Pending");
        update(MachineObjects.running(MachineObjects.ID, true));
        awaitPhase("Running");
        assertTrue(eye.untilDue(LONG).compareTo(LONG.minusMinutes(1)) > 0);
    }

    @Test
    void podsOfOtherMachinesAreIgnored() throws InterruptedException {
        create(MachineObjects.pending("outpost-other"));
        eye.look(LONG);
        create(MachineObjects.pending("outpost-third"));
        create(MachineObjects.pending(MachineObjects.ID));
        awaitPhase("Pending");
        assertEquals(MachineObjects.ID + "-abcde", pod().getMetadata().getName());
    }

    @Test
    void aPodThatRanAndIsGoneIsSeenAsDeleted() throws InterruptedException {
        create(MachineObjects.running(MachineObjects.ID, true));
        eye.look(LONG);
        client.pods().inNamespace("test").delete();
        awaitPodDeleted();
        assertEquals("Running", pod().getStatus().getPhase());
    }

    @Test
    void podDeletedBeforeItRanIsIgnored() throws InterruptedException {
        create(MachineObjects.pending(MachineObjects.ID));
        eye.look(LONG);
        client.pods().inNamespace("test").delete();
        while (eye.look(LONG).pod().isPresent()) {
            news.await(LONG);
        }
    }

    @Test
    void aJobThatIsGoneIsSeenAsDeleted() throws InterruptedException {
        eye.look(LONG);
        client.batch().v1().jobs().inNamespace("test").delete();
        while (eye.look(LONG).job().orElseThrow().getMetadata().getDeletionTimestamp() == null) {
            news.await(LONG);
        }
    }

    @Test
    void listFindsPodsThatTheWatchMissed() {
        eye.look(LONG);
        eye.close();
        client.batch().v1().jobs().inNamespace("test").delete();
        Await.until(
                "the deletion is seen",
                () -> eye.look(Duration.ZERO).job().orElseThrow().getMetadata().getDeletionTimestamp() != null);
    }

    private void create(Pod pod) {
        client.resource(pod).inNamespace("test").create();
    }

    private void update(Pod pod) {
        client.resource(pod).inNamespace("test").update();
    }

    private Pod pod() {
        return eye.look(LONG).pod().orElseThrow();
    }

    private void awaitPhase(String phase) throws InterruptedException {
        while (!eye.look(LONG).pod().map(pod -> pod.getStatus().getPhase()).equals(Optional.of(phase))) {
            news.await(LONG);
        }
    }

    private void awaitPodDeleted() throws InterruptedException {
        while (pod().getMetadata().getDeletionTimestamp() == null) {
            news.await(LONG);
        }
    }
}

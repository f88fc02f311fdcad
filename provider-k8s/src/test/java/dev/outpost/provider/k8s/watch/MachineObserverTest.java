package dev.outpost.provider.k8s.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.WakeSignal;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests with a mock that keeps objects and sends events; here the test itself changes the pods. */
class MachineObserverTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    private final WakeSignal wakeSignal = new WakeSignal();
    private MachineObserver observer;

    @BeforeEach
    void create() {
        Job job = client.resource(MachineObjects.job()).inNamespace("test").create();
        ProviderContext context = Quick.surroundings();
        observer = new MachineObserver(Quick.cluster(client), job, new NewestPod(context.clock()), wakeSignal, context);
    }

    @AfterEach
    void close() {
        observer.close();
        api.close();
    }

    @Test
    void thereIsNoPodAtFirst() {
        ObservedMachine observed = observer.observe(LONG);
        assertEquals(
                MachineObjects.ID, observed.job().orElseThrow().getMetadata().getName());
        assertEquals(Optional.empty(), observed.pod());
    }

    @Test
    void watchEventUpdatesTheObserverWithoutARequest() throws InterruptedException {
        observer.observe(LONG);
        create(MachineObjects.pending(MachineObjects.ID));
        awaitPhase("Pending");
        update(MachineObjects.running(MachineObjects.ID, true));
        awaitPhase("Running");
        assertTrue(observer.untilDue(LONG).compareTo(LONG.minusMinutes(1)) > 0);
    }

    @Test
    void podsOfOtherMachinesAreIgnored() throws InterruptedException {
        create(MachineObjects.pending("outpost-other"));
        observer.observe(LONG);
        create(MachineObjects.pending("outpost-third"));
        create(MachineObjects.pending(MachineObjects.ID));
        awaitPhase("Pending");
        assertEquals(MachineObjects.ID + "-abcde", pod().getMetadata().getName());
    }

    @Test
    void aPodThatRanAndIsGoneIsSeenAsDeleted() throws InterruptedException {
        create(MachineObjects.running(MachineObjects.ID, true));
        observer.observe(LONG);
        client.pods().inNamespace("test").delete();
        awaitPodDeleted();
        assertEquals("Running", pod().getStatus().getPhase());
    }

    @Test
    void podDeletedBeforeItRanIsIgnored() throws InterruptedException {
        create(MachineObjects.pending(MachineObjects.ID));
        observer.observe(LONG);
        client.pods().inNamespace("test").delete();
        while (observer.observe(LONG).pod().isPresent()) {
            wakeSignal.await(LONG);
        }
    }

    @Test
    void aJobThatIsGoneIsSeenAsDeleted() throws InterruptedException {
        observer.observe(LONG);
        client.batch().v1().jobs().inNamespace("test").delete();
        while (observer.observe(LONG).job().orElseThrow().getMetadata().getDeletionTimestamp() == null) {
            wakeSignal.await(LONG);
        }
    }

    @Test
    void listFindsPodsThatTheWatchMissed() {
        observer.observe(LONG);
        observer.close();
        client.batch().v1().jobs().inNamespace("test").delete();
        Await.until(
                "the deletion is seen",
                () -> observer.observe(Duration.ZERO)
                                .job()
                                .orElseThrow()
                                .getMetadata()
                                .getDeletionTimestamp()
                        != null);
    }

    private void create(Pod pod) {
        client.resource(pod).inNamespace("test").create();
    }

    private void update(Pod pod) {
        client.resource(pod).inNamespace("test").update();
    }

    private Pod pod() {
        return observer.observe(LONG).pod().orElseThrow();
    }

    private void awaitPhase(String phase) throws InterruptedException {
        while (!observer.observe(LONG)
                .pod()
                .map(pod -> pod.getStatus().getPhase())
                .equals(Optional.of(phase))) {
            wakeSignal.await(LONG);
        }
    }

    private void awaitPodDeleted() throws InterruptedException {
        while (pod().getMetadata().getDeletionTimestamp() == null) {
            wakeSignal.await(LONG);
        }
    }
}

package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing is left of a machine that was returned. */
@Tag("real-cluster")
class ReleaseTest {
    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    @Test
    void releaseRemovesEveryObject() {
        Lease lease = provided.lease();
        assertEquals(1, provided.objects(Job.class).size());
        provided.release(lease);
        provided.awaitNothingLeft();
        provided.await("no watch is open", () -> provided.levers().openWatches() == 0);
        provided.await("no container runs", () -> provided.levers().runningContainers() == 0);
    }

    @Test
    void releasingAgainAsksForNothing() {
        Lease lease = provided.lease();
        provided.release(lease);
        provided.awaitNothingLeft();
        long deletions = provided.cluster.requests().of(Verb.DELETE, "jobs");
        provided.release(lease);
        assertEquals(deletions, provided.cluster.requests().of(Verb.DELETE, "jobs"));
    }

    @Test
    void releaseKeepsTheOtherMachine() {
        Lease first = provided.lease();
        Lease second = provided.lease();
        List<MachineLoss> losses = new CopyOnWriteArrayList<>();
        second.lost().subscribe().with(losses::add);
        provided.release(first);
        provided.await("one is gone", () -> provided.objects(Job.class).size() == 1);
        assertEquals(
                second.id(),
                provided.objects(Secret.class).getFirst().getMetadata().getName());
        assertEquals(List.of(), losses);
        provided.release(second);
        provided.awaitNothingLeft();
    }

    @Test
    void aServerThatFailsForAWhileIsAskedAgain() {
        Lease lease = provided.lease();
        var failing = provided.cluster
                .faults()
                .inject(Fault.internalError().on(Verb.DELETE, "jobs").times(3));
        provided.release(lease);
        assertEquals(3, failing.met());
        provided.awaitNothingLeft();
    }

    @Test
    void anAnswerThatGotLostDoesNoHarm() {
        Lease lease = provided.lease();
        provided.cluster.faults().inject(Fault.loseAnswer().on(Verb.DELETE, "jobs"));
        provided.release(lease);
        provided.awaitNothingLeft();
    }

    @Test
    void whenTheServerStaysAwayTheMachineEndsByItself() throws Exception {
        Await.withEnoughTime(Provided.TIMINGS.lease(), this::endByItself);
    }

    private void endByItself(Duration unused) {
        Lease lease = provided.lease("lease", unused.toString());
        provided.cluster.faults().goAway();
        provided.release(lease);
        assertEquals(1, provided.objects(Job.class).size());
        provided.await(
                "the machine has noticed that nobody uses it",
                () -> provided.levers().runningContainers() == 0);
        provided.cluster.faults().comeBack();
        provided.keeper().sweep().await().atMost(Provided.TIMEOUT);
        provided.awaitNothingLeft();
    }

    @Test
    void theEndpointIsPinnedAndHasAToken() {
        Lease lease = provided.lease("endpoint", "pod-ip");
        Endpoint.Remote endpoint = (Endpoint.Remote) lease.endpoint();
        assertEquals(50051, endpoint.port());
        assertFalse(endpoint.token().isEmpty());
        assertFalse(endpoint.toString().contains(endpoint.token()), endpoint::toString);
        provided.release(lease);
    }
}

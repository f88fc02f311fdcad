package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.Lease;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine starts however late the Secret with its key follows its Job; a kubelet reads a Secret once a minute. */
class KeyFileWaitTest {
    private final Provided provided = Provided.quick();
    private final CompletableFuture<Void> mayBeMade = new CompletableFuture<>();
    private final AtomicReference<Lease> lease = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @AfterEach
    void close() {
        provided.awaitNothingLeft();
        provided.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10, 100})
    void aMachineComes(int seconds) {
        startUpToItsKey();
        provided.await("the cluster has done what it can without the key", this::isHeldOrRuns);
        provided.levers().kubelet().advance(Duration.ofSeconds(seconds));
        mayBeMade.complete(null);
        assertComes();
    }

    /** As Kueue does if it manages Jobs without a queue name. */
    @Test
    void aMachineComesThatIsAdmittedBeforeItHasItsKey() {
        startUpToItsKey();
        provided.cluster
                .client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(provided.cluster.namespace())
                .withName(job().getMetadata().getName())
                .edit(job -> job.edit().editSpec().withSuspend(false).endSpec().build());
        provided.await("the kubelet misses the key", this::isMissed);
        assertEquals(0, provided.levers().runningContainers());
        mayBeMade.complete(null);
        provided.await("there is a key", () -> !provided.objects(Secret.class).isEmpty());
        provided.levers().kubelet().advance(Duration.ofSeconds(1));
        assertComes();
    }

    /** A key never exists without the Job with which it is deleted. */
    @Test
    void aKeyBelongsToItsJobFromTheBeginning() {
        startUpToItsKey();
        String uid = job().getMetadata().getUid();
        mayBeMade.complete(null);
        assertTrue(provided.levers().objects().list(Secret.class).stream()
                .allMatch(secret -> secret.getMetadata()
                        .getOwnerReferences()
                        .getFirst()
                        .getUid()
                        .equals(uid)));
        assertComes();
    }

    private void startUpToItsKey() {
        var held = provided.cluster.faults().inject(Fault.heldUntil(mayBeMade).on(Verb.PATCH, "secrets"));
        provided.provider
                .provision(provided.spec("A100"), provided.steps::add)
                .subscribe()
                .with(lease::set, failure::set);
        provided.await("its key is asked for", () -> held.met() == 1);
    }

    private boolean isHeldOrRuns() {
        return job().getStatus() != null
                        && job().getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Suspended"))
                || provided.levers().runningContainers() > 0;
    }

    private boolean isMissed() {
        return provided.levers().objects().list(Event.class).stream()
                .anyMatch(event -> event.getReason().equals("FailedMount"));
    }

    private Job job() {
        return provided.objects(Job.class).getFirst();
    }

    private void assertComes() {
        provided.await("it has come, or failed", () -> lease.get() != null || failure.get() != null);
        assertEquals(null, failure.get());
        assertEquals(1, provided.objects(Pod.class).size());
        provided.release(lease.get());
    }
}

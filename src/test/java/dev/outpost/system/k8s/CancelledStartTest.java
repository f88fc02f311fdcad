package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancelled start leaves nothing behind, at whatever step it was. */
class CancelledStartTest {
    private static final Duration SLOW = Duration.ofMillis(300);

    private final Provided provided = Provided.quick();
    private final AtomicReference<Lease> lease = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @AfterEach
    void close() {
        provided.close();
    }

    private Cancellable start() {
        return provided.provider
                .provision(provided.spec("A100"), provided.steps::add)
                .subscribe()
                .with(lease::set, failure::set);
    }

    private void assertNothingCame() {
        provided.await("no container runs", () -> provided.levers().runningContainers() == 0);
        provided.awaitNothingLeft();
        assertEquals(null, lease.get());
        assertEquals(null, failure.get());
        provided.await("no watch is open", () -> provided.levers().openWatches() == 0);
    }

    @Test
    void atOnce() {
        start().cancel();
        assertNothingCame();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs", "secrets", "services"})
    void whileAnObjectIsBeingMade(String resource) {
        var slow = provided.cluster.faults().inject(Fault.slow(SLOW).on(Verb.PATCH, resource));
        Cancellable start = start();
        provided.await("it is asked for", () -> slow.met() == 1);
        start.cancel();
        provided.await(
                "it was made, and deleted", () -> provided.cluster.requests().of(Verb.DELETE, "jobs") > 0);
        assertNothingCame();
    }

    @Test
    void whileTheServerIsAway() {
        provided.cluster.faults().goAway();
        Cancellable start = start();
        provided.await("it has told of the trouble", () -> provided.steps.size() > 1);
        start.cancel();
        provided.cluster.faults().comeBack();
        assertNothingCame();
    }

    @Test
    void beforeThereIsAPod() {
        provided.cluster.faults().inject(Fault.slow(SLOW).on(Verb.LIST, "pods"));
        Cancellable start = start();
        provided.await("the Job is there", () -> !provided.objects(Job.class).isEmpty());
        start.cancel();
        assertNothingCame();
    }

    @Test
    void whileItsImageIsPulled() {
        provided.cluster.pods().slowPulls(Duration.ofSeconds(30));
        Cancellable start = start();
        provided.await("the pod is there", () -> !provided.objects(Pod.class).isEmpty());
        provided.await("it pulls", () -> hasReported(MachinePhase.PULLING));
        start.cancel();
        assertNothingCame();
    }

    @Test
    void whileItConnects() {
        provided.cluster.faults().inject(Fault.slow(SLOW).on(Verb.GET, "services"));
        Cancellable start = provided.provider
                .provision(provided.spec("A100", "endpoint", "service"), provided.steps::add)
                .subscribe()
                .with(lease::set, failure::set);
        provided.await("it connects", () -> hasReported(MachinePhase.CONNECTING));
        start.cancel();
        assertNothingCame();
    }

    /** Cancels the start when the machine becomes ready: either it is handed out, or it is removed. */
    @ParameterizedTest
    @EnumSource(
            value = MachinePhase.class,
            names = {"QUEUED", "SCHEDULING", "PULLING", "STARTING", "CONNECTING", "READY"})
    void atThatStep(MachinePhase phase) {
        AtomicReference<Cancellable> start = new AtomicReference<>();
        start.set(provided.provider
                .provision(provided.spec("A100"), step -> cancelAt(phase, step, start))
                .subscribe()
                .with(lease::set, failure::set));
        provided.await(
                "it has come or gone",
                () -> lease.get() != null || provided.cluster.requests().of(Verb.DELETE, "jobs") > 0);
        if (lease.get() != null) {
            provided.release(lease.getAndSet(null));
        }
        assertNothingCame();
    }

    private void cancelAt(MachinePhase phase, ProvisioningStep step, AtomicReference<Cancellable> start) {
        provided.steps.add(step);
        if (step.phase() == phase) {
            provided.await("it is subscribed to", () -> start.get() != null);
            start.get().cancel();
        }
    }

    private boolean hasReported(MachinePhase phase) {
        return provided.steps.stream().anyMatch(step -> step.phase() == phase);
    }

    @Test
    void aStartThatIsNotCancelledComes() {
        start();
        provided.await("it is there", () -> lease.get() != null);
        assertTrue(hasReported(MachinePhase.READY));
        provided.release(lease.get());
        provided.awaitNothingLeft();
    }
}

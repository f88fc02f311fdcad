package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSummary;
import dev.outpost.simulated.kubernetes.api.Fault;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests machines that live without a client. */
@Tag("real-cluster")
class KeptMachinesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    private String start() {
        return provided.keeper()
                .start(provided.spec("A100"), HOUR, provided.steps::add)
                .await()
                .atMost(Provided.TIMEOUT);
    }

    private List<MachineSummary> list() {
        return provided.keeper().list().await().atMost(Provided.TIMEOUT);
    }

    private MachineSummary summary(String id) {
        return list().stream()
                .filter(machine -> machine.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private void awaitEnd(String id) {
        provided.await("it has ended", () -> summary(id).state().startsWith("ended"));
    }

    private void stop(String id) {
        provided.keeper().stop(id).await().atMost(Provided.TIMEOUT);
    }

    private List<String> log(String id) {
        return provided.keeper().logs(id, false).collect().asList().await().atMost(Provided.TIMEOUT);
    }

    @Test
    void aProgramComputesOnOneThatAnotherStarted() {
        String id = start();
        try (RemoteMachine machine = RemoteMachine.attach(provided.provider, id, new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
        try (RemoteMachine machine = RemoteMachine.attach(provided.provider, id, new MachineOptions())) {
            assertEquals(2.0, machine.ones(2).sum().itemDouble());
        }
        stop(id);
        provided.awaitNothingLeft();
    }

    @Test
    void itOutlivesTheLeasesOfItsClients() throws InterruptedException {
        Duration session = Provided.TIMINGS.session();
        String id = provided.keeper()
                .start(provided.spec("A100", "lease", session.toString()), HOUR, step -> {})
                .await()
                .atMost(Provided.TIMEOUT);
        Thread.sleep(session.multipliedBy(3));
        assertEquals("running", list().getFirst().state());
        stop(id);
    }

    @Test
    void aListTellsOfAll() {
        String kept = start();
        Lease own = provided.lease();
        assertEquals(2, list().size());
        assertEquals(
                List.of("A100", "A100"),
                list().stream().map(MachineSummary::gpu).toList());
        assertEquals(false, summary(own.id()).attachable());
        assertEquals(true, summary(kept).attachable());
        Duration life =
                Duration.between(summary(kept).created(), summary(kept).ends().orElseThrow());
        assertTrue(life.minus(HOUR).abs().compareTo(Duration.ofSeconds(10)) < 0, life::toString);
        provided.release(own);
        stop(kept);
    }

    @Test
    void attachingToAMachineOfAClientIsRefused() {
        Lease own = provided.lease();
        assertEquals(
                own.id()
                        + " belongs to the program that started it, and ends with it; ./outpost machines start makes one"
                        + " that others can attach to",
                refusal(own.id()));
        provided.release(own);
    }

    @Test
    void attachingToAnUnknownMachineIsRefused() {
        String refusal = refusal("outpost-none");
        assertTrue(
                refusal.startsWith("there is no machine called outpost-none in namespace "
                        + provided.cluster.namespace() + " at http"),
                refusal);
        assertTrue(refusal.endsWith("; ./outpost machines list shows those there are"), refusal);
    }

    @Test
    void attachingWithoutTheKeyIsRefused() {
        String id = start();
        provided.cluster
                .client()
                .resource(provided.objects(Secret.class).getFirst())
                .delete();
        assertTrue(refusal(id).startsWith(id + " has no key: its Secret was deleted, or never created."), refusal(id));
        stop(id);
    }

    private String refusal(String id) {
        return assertThrows(
                        RuntimeException.class,
                        () -> provided.keeper().attach(id, step -> {}).await().atMost(Provided.TIMEOUT))
                .getMessage();
    }

    @Test
    void aStartThatIsCancelledLeavesNothing() {
        provided.cluster.pods().slowPulls(Duration.ofSeconds(30));
        AtomicReference<Object> outcome = new AtomicReference<>();
        Cancellable start = provided.keeper()
                .start(provided.spec("A100"), HOUR, step -> {})
                .subscribe()
                .with(outcome::set, outcome::set);
        provided.await("its pod is there", () -> !provided.objects(Pod.class).isEmpty());
        start.cancel();
        provided.awaitNothingLeft();
        assertEquals(null, outcome.get());
    }

    @Test
    void aLifeBeyondWhatIsAllowedIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class,
                () -> provided.keeper()
                        .start(provided.spec("A100"), Duration.ofDays(2), step -> {})
                        .await()
                        .atMost(Provided.TIMEOUT));
        assertTrue(refused.getMessage().startsWith("life: "), refused::getMessage);
    }

    // ---- logs

    @Test
    void aLogIsReadFromItsBeginning() {
        String id = start();
        assertTrue(log(id).stream().anyMatch(line -> line.startsWith("device ")), () -> log(id).toString());
        stop(id);
    }

    @Test
    void aLogIsFollowedOverConnectionsThatBreakUntilTheMachineEnds() {
        String id = start();
        List<String> lines = new CopyOnWriteArrayList<>();
        AtomicReference<Object> end = new AtomicReference<>();
        provided.keeper().logs(id, true).subscribe().with(lines::add, end::set, () -> end.set("complete"));
        provided.await("it has begun", () -> lines.size() == log(id).size());
        provided.cluster.faults().goAway();
        provided.cluster.faults().comeBack();
        provided.cluster.pods().fail(id, new PodFailure.Crash(1, List.of("the last line")));
        provided.await("it is complete", () -> end.get() != null);
        assertEquals("complete", end.get());
        assertEquals("the last line", lines.getLast());
        assertEquals(log(id), lines);
        stop(id);
    }

    @Test
    void aLogThatNobodyReadsAnyMoreIsLeft() {
        String id = start();
        AtomicReference<Object> end = new AtomicReference<>();
        List<String> lines = new CopyOnWriteArrayList<>();
        Cancellable reading = provided.keeper().logs(id, true).subscribe().with(lines::add, end::set, () -> end.set(1));
        provided.await("it has begun", () -> !lines.isEmpty());
        reading.cancel();
        int read = lines.size();
        provided.cluster.pods().fail(id, new PodFailure.Crash(1, List.of("the last line")));
        awaitEnd(id);
        assertEquals(read, lines.size());
        assertEquals(null, end.get());
        stop(id);
    }

    @Test
    void logOfAnUnknownMachineIsRefused() {
        var refused = assertThrows(RuntimeException.class, () -> log("outpost-none"));
        assertTrue(refused.getMessage().startsWith("there is no machine called outpost-none"), refused::getMessage);
    }

    // ---- stop, sweep

    @Test
    void stoppingAnEndedMachineRemovesItsObjects() {
        String id = start();
        provided.cluster.pods().fail(id, new PodFailure.Crash(1, List.of("bye")));
        awaitEnd(id);
        stop(id);
        provided.awaitNothingLeft();
    }

    @Test
    void stoppingAnUnknownMachineFails() {
        var refused = assertThrows(RuntimeException.class, () -> stop("outpost-none"));
        assertTrue(refused.getMessage().startsWith("there is no machine called outpost-none"), refused::getMessage);
    }

    @Test
    void sweepRemovesEndedMachinesOnly() {
        String ended = start();
        String alive = start();
        provided.cluster.pods().fail(ended, new PodFailure.Crash(1, List.of("bye")));
        awaitEnd(ended);
        List<String> removed = provided.keeper().sweep().await().atMost(Provided.TIMEOUT);
        assertEquals(List.of("Job " + ended + ": it has ended"), removed);
        provided.await("it is gone", () -> provided.objects(Job.class).size() == 1);
        assertEquals(alive, list().getFirst().id());
        stop(alive);
    }

    @Test
    void aServerThatFailsForAWhileIsAskedAgain() {
        var failing = provided.cluster
                .faults()
                .inject(Fault.internalError().on(Verb.LIST, "jobs").times(2));
        assertEquals(List.of(), list());
        assertEquals(2, failing.met());
    }

    @Test
    void aServerThatStaysAwayIsNotWaitedForForever() {
        provided.cluster.faults().goAway();
        var refused = assertThrows(RuntimeException.class, this::list);
        assertTrue(refused.getMessage().contains("kubeconfig"), refused::getMessage);
    }
}

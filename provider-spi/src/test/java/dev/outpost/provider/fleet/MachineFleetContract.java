package dev.outpost.provider.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The contract of every fleet. A fleet's test extends this class. Two objects of one installation stand for two replicas of
 * a control plane; one machine is shared by the tests that only look at it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MachineFleetContract {
    private static final String INSTALLATION = "contract";
    private static final Map<String, String> LABELS =
            Map.of("owner", "Ada of \"Analytical & Söhne\"", "project", "p-1");
    private static final Grant GRANT = Grant.of("a1".repeat(32));

    private final List<MachineRef> begun = new ArrayList<>();
    private MachineFleet fleet;
    private MachineFleet replica;
    private MachineFleet stranger;
    private DesiredMachine shared;
    private MachineObservation ready;

    /** Returns the supplier in a fresh state, without other machines. */
    protected abstract FleetProvider provider();

    /** Settings of all machines. */
    protected Map<String, String> options() {
        return Map.of();
    }

    /** A machine that the supplier can make. */
    protected DesiredMachine desired(MachineRef machine) {
        return DesiredMachine.of(machine, GpuType.ANY, GRANT);
    }

    /** Returns the longest time in which a machine starts or ends. */
    protected Duration patience() {
        return Await.GUARD;
    }

    /** The shortest lease that a machine can have. */
    protected Duration shortLease() {
        return Duration.ofSeconds(1);
    }

    /** Lets time pass for machines that do not use real time. */
    protected void pass(Duration time) {}

    /** Releases the resources of the supplier after all its machines are gone. */
    protected void endSupplier() {}

    @BeforeAll
    final void open() throws InterruptedException {
        fleet = provider().open(INSTALLATION, options());
        replica = provider().open(INSTALLATION, options());
        stranger = provider().open("stranger", options());
        shared = desired(new MachineRef(UUID.randomUUID().toString(), 1)).withLabels(LABELS);
        try (var observed = new ObservedFleet(replica)) {
            fleet.ensure(shared);
            ready = observed.await(shared.machine(), MachinePhase.READY, patience());
        }
    }

    @AfterEach
    final void endAll() {
        begun.forEach(fleet::end);
        begun.clear();
    }

    @AfterAll
    final void close() throws InterruptedException {
        endAll();
        try (var observed = new ObservedFleet(fleet)) {
            observed.await(shared.machine(), MachinePhase.READY, patience());
            fleet.end(shared.machine());
            observed.await(shared.machine(), MachinePhase.GONE, patience());
        }
        List.of(fleet, replica, stranger).forEach(MachineFleet::close);
        endSupplier();
    }

    private DesiredMachine fresh() {
        DesiredMachine fresh = desired(new MachineRef(UUID.randomUUID().toString(), 1));
        begun.add(fresh.machine());
        return fresh;
    }

    private static Optional<MachineObservation> listed(MachineFleet by, MachineRef machine) {
        return by.list().stream()
                .filter(observation -> observation.machine().equals(machine))
                .findFirst();
    }

    // ---- tests that only read

    @Test
    protected final void aReadyMachineHasAnAddressAndItsCertificate() {
        assertTrue(ready.address().isPresent(), ready::toString);
        assertEquals(shared.gpu().name(), ready.gpu());
        assertFalse(ready.since().isBefore(ready.created()), ready::toString);
        assertFalse(ready.reason().isBlank());
    }

    @Test
    protected final void theOtherReplicaListsTheSame() {
        assertEquals(ready, listed(fleet, shared.machine()).orElseThrow());
        assertEquals(ready, listed(replica, shared.machine()).orElseThrow());
    }

    @Test
    protected final void labelsComeBack() {
        assertEquals(LABELS, ready.labels());
    }

    @Test
    protected final void ensuringWhatIsThereMakesNothing() {
        assertEquals(ready, replica.ensure(shared));
        assertEquals(
                1,
                fleet.list().stream()
                        .filter(observation -> observation.machine().equals(shared.machine()))
                        .count());
    }

    @Test
    protected final void anotherInstallationSeesNothing() {
        assertEquals(List.of(), stranger.list());
    }

    @Test
    protected final void anotherInstallationDoesNotGetTheName() {
        var refused = assertThrows(FleetException.class, () -> stranger.ensure(shared));
        assertEquals(Kind.REFUSED, refused.kind());
        assertTrue(refused.getMessage().contains(shared.machine().name()), refused::getMessage);
    }

    @Test
    protected final void anotherInstallationEndsNothing() {
        stranger.end(shared.machine());
        assertEquals(
                MachinePhase.READY,
                listed(fleet, shared.machine()).orElseThrow().state());
    }

    @Test
    protected final void bindingAndRevokingCanBeRepeated() {
        Grant more = Grant.of("b2".repeat(32));
        replica.bind(shared.machine(), more);
        fleet.bind(shared.machine(), more);
        replica.revoke(shared.machine(), more.tokenSha256());
        fleet.revoke(shared.machine(), more.tokenSha256());
    }

    @Test
    protected final void itHasALog() {
        assertFalse(fleet.logs(shared.machine(), false)
                .collect()
                .asList()
                .await()
                .atMost(patience())
                .isEmpty());
    }

    @Test
    protected final void aMachineThatIsNotThereIsNamed() {
        MachineRef nobody = new MachineRef("nobody", 1);
        assertNamed(nobody, () -> fleet.bind(nobody, GRANT));
        assertNamed(nobody, () -> fleet.revoke(nobody, GRANT.tokenSha256()));
        assertNamed(
                nobody,
                () -> fleet.logs(nobody, false).collect().asList().await().atMost(patience()));
        fleet.end(nobody);
    }

    private static void assertNamed(MachineRef machine, Runnable call) {
        var missing = assertThrows(FleetException.class, call::run);
        assertEquals(Kind.NOT_FOUND, missing.kind());
        assertTrue(missing.getMessage().contains(machine.name()), missing::getMessage);
    }

    @Test
    protected final void anOptionThatItDoesNotHaveIsRefusedByName() {
        DesiredMachine unknown = desired(shared.machine()).withOptions(Map.of("no-such-option", "1"));
        for (var call : List.<Runnable>of(() -> fleet.validate(unknown), () -> fleet.ensure(unknown))) {
            var refused = assertThrows(IllegalArgumentException.class, call::run);
            assertTrue(refused.getMessage().contains("no-such-option"), refused::getMessage);
        }
        assertThrows(
                IllegalArgumentException.class, () -> provider().open(INSTALLATION, Map.of("no-such-option", "1")));
    }

    @Test
    protected final void aNewWatchTellsWhatIsThere() throws InterruptedException {
        try (var observed = new ObservedFleet(replica)) {
            assertEquals(ready, observed.await(shared.machine(), MachinePhase.READY, patience()));
        }
    }

    // ---- tests that make and end machines

    @Test
    protected final void twoAtOnceMakeOneMachine() throws Exception {
        DesiredMachine wanted = fresh();
        List<MachineObservation> answers = atOnce(() -> fleet.ensure(wanted), () -> replica.ensure(wanted));
        assertEquals(answers.getFirst().created(), answers.getLast().created());
        try (var observed = new ObservedFleet(fleet)) {
            MachineObservation served = observed.await(wanted.machine(), MachinePhase.READY, patience());
            assertEquals(
                    List.of(served),
                    fleet.list().stream()
                            .filter(observation -> observation.machine().equals(wanted.machine()))
                            .toList());
        }
    }

    private static List<MachineObservation> atOnce(
            Callable<MachineObservation> first, Callable<MachineObservation> second)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<MachineObservation> answers = new ArrayList<>();
            for (Future<MachineObservation> answer : threads.invokeAll(List.of(first, second))) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    @Test
    protected final void epochsAreMachinesOfTheirOwn() throws InterruptedException {
        DesiredMachine first = fresh();
        DesiredMachine second = desired(new MachineRef(first.machine().id(), 2));
        begun.add(second.machine());
        try (var observed = new ObservedFleet(fleet)) {
            fleet.ensure(first);
            fleet.ensure(second);
            replica.end(first.machine());
            observed.await(first.machine(), MachinePhase.GONE, patience());
            assertTrue(listed(fleet, second.machine()).orElseThrow().isLive());
        }
    }

    @Test
    protected final void theOtherReplicaEndsIt() throws InterruptedException {
        DesiredMachine wanted = fresh();
        try (var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            observed.await(wanted.machine(), MachinePhase.READY, patience());
            replica.end(wanted.machine());
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
            assertEquals(Optional.empty(), listed(fleet, wanted.machine()));
            replica.end(wanted.machine());
            assertStatesNeverGoBack(observed.observations(), wanted.machine());
        }
    }

    private static void assertStatesNeverGoBack(List<MachineObservation> told, MachineRef machine) {
        List<MachinePhase> states = told.stream()
                .filter(observation -> observation.machine().equals(machine))
                .map(MachineObservation::state)
                .toList();
        assertEquals(states.stream().sorted().toList(), states);
    }

    @Test
    protected final void anEndedMachineIsToldOfUntilItIsRemoved() throws Exception {
        Await.withEnoughTime(shortLease(), this::anEndedMachineIsToldOf);
    }

    private void anEndedMachineIsToldOf(Duration lease) throws InterruptedException {
        DesiredMachine wanted = fresh();
        DesiredMachine brief = wanted.withBounds(wanted.bounds().withLease(lease));
        try (var observed = new ObservedFleet(fleet)) {
            fleet.ensure(brief);
            MachineObservation served = observed.await(
                    brief.machine(),
                    observation ->
                            observation.state() == MachinePhase.READY || observation.state() == MachinePhase.ENDED,
                    patience());
            assertEquals(MachinePhase.READY, served.state(), served::reason);
            pass(lease);
            MachineObservation ended = observed.await(
                    brief.machine(), MachinePhase.ENDED, patience().plus(lease));
            assertEquals(Optional.of(EndCause.UNUSED), ended.endCause(), ended::reason);
            assertEquals(ended, replica.ensure(brief), "what has ended is not made again");
            assertNamed(brief.machine(), () -> fleet.bind(brief.machine(), GRANT));
            replica.end(brief.machine());
            observed.await(brief.machine(), MachinePhase.GONE, patience());
        }
    }
}

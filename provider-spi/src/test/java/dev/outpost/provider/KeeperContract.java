package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/** The contract of machines that live without a client; a part of {@link GpuProviderContract}. */
final class KeeperContract {
    private static final Duration LIFE = Duration.ofMinutes(10);

    private final MachineKeeper keeper;
    private final MachineSpec spec;
    private final Duration timeout;
    private final List<ProvisioningStep> steps = new CopyOnWriteArrayList<>();
    private final List<String> started = new ArrayList<>();

    KeeperContract(MachineKeeper keeper, MachineSpec spec, Duration timeout) {
        this.keeper = keeper;
        this.spec = spec;
        this.timeout = timeout;
    }

    Stream<DynamicTest> tests() {
        return Stream.of(
                test("what was started is listed", this::whatWasStartedIsListed),
                test("its start ends ready", this::itsStartEndsReady),
                test("every machine has its own id", this::everyMachineHasItsOwnId),
                test("it can be attached to", this::itCanBeAttachedTo),
                test("releasing leaves it running", this::releasingLeavesItRunning),
                test("whoever let go does not lose it", this::whoeverLetGoDoesNotLoseIt),
                test("whoever is attached loses what is stopped", this::whoeverIsAttachedLosesWhatIsStopped),
                test("a machine that was stopped is gone", this::aMachineThatWasStoppedIsGone),
                test("stopping one leaves the other", this::stoppingOneLeavesTheOther),
                test("a name that nobody has is refused", this::aNameThatNobodyHasIsRefused),
                test("sweeping leaves what runs", this::sweepingLeavesWhatRuns));
    }

    private DynamicTest test(String name, Executable body) {
        return DynamicTest.dynamicTest(name, () -> {
            try {
                body.execute();
            } finally {
                List.copyOf(started).forEach(this::stop);
                steps.clear();
            }
        });
    }

    private void whatWasStartedIsListed() {
        String id = start();
        MachineSummary summary = listed(id).orElseThrow();
        assertEquals(spec.gpu().name(), summary.gpu());
        assertTrue(summary.attachable(), summary::toString);
        assertFalse(summary.state().startsWith("ended"), summary::toString);
    }

    private void itsStartEndsReady() {
        start();
        assertEquals(MachinePhase.READY, steps.get(steps.size() - 1).phase());
    }

    private void everyMachineHasItsOwnId() {
        assertNotEquals(start(), start());
    }

    private void itCanBeAttachedTo() {
        String id = start();
        Lease lease = attach(id);
        assertEquals(id, lease.id());
        assertNotNull(lease.endpoint());
        release(lease);
    }

    private void releasingLeavesItRunning() {
        String id = start();
        release(attach(id));
        assertTrue(listed(id).isPresent());
        release(attach(id));
    }

    private void whoeverLetGoDoesNotLoseIt() {
        String id = start();
        Lease lease = attach(id);
        List<MachineLoss> losses = new CopyOnWriteArrayList<>();
        lease.lost().subscribe().with(losses::add);
        release(lease);
        stop(id);
        assertEquals(List.of(), losses);
    }

    private void whoeverIsAttachedLosesWhatIsStopped() {
        String id = start();
        Lease lease = attach(id);
        stop(id);
        assertEquals(MachineLoss.Cause.FAILED, await(lease.lost()).cause());
        release(lease);
    }

    private void aMachineThatWasStoppedIsGone() {
        String id = start();
        stop(id);
        Await.until(timeout, id + " is not listed any more", () -> listed(id).isEmpty());
        assertCannotBeAttachedTo(id);
    }

    private void stoppingOneLeavesTheOther() {
        String first = start();
        String second = start();
        stop(first);
        release(attach(second));
    }

    private void aNameThatNobodyHasIsRefused() {
        assertCannotBeAttachedTo("no-such-machine");
    }

    private void sweepingLeavesWhatRuns() {
        String id = start();
        await(keeper.sweep());
        release(attach(id));
    }

    private void assertCannotBeAttachedTo(String id) {
        var refused = assertThrows(RuntimeException.class, () -> attach(id));
        assertTrue(refused.getMessage().contains(id), refused::getMessage);
    }

    private String start() {
        String id = await(keeper.start(spec, LIFE, steps::add));
        started.add(id);
        return id;
    }

    private Lease attach(String id) {
        return await(keeper.attach(id, step -> {}));
    }

    private Optional<MachineSummary> listed(String id) {
        return await(keeper.list()).stream()
                .filter(machine -> machine.id().equals(id))
                .findFirst();
    }

    private void release(Lease lease) {
        await(lease.release());
    }

    private void stop(String id) {
        started.remove(id);
        await(keeper.stop(id));
    }

    private <T> T await(Uni<T> answer) {
        return answer.await().atMost(timeout);
    }
}

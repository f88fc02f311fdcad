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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private final Set<String> stopped = new HashSet<>();

    KeeperContract(MachineKeeper keeper, MachineSpec spec, Duration timeout) {
        this.keeper = keeper;
        this.spec = spec;
        this.timeout = timeout;
    }

    /** The tests, which share two machines: a machine may take seconds to start. Each starts what the tests before it did not. */
    Stream<DynamicTest> tests() {
        return Stream.of(
                test("a start ends ready", this::aStartEndsReady),
                test("what was started is listed", this::whatWasStartedIsListed),
                test("it can be attached to", this::itCanBeAttachedTo),
                test("releasing leaves it running", this::releasingLeavesItRunning),
                test("sweeping leaves what runs", this::sweepingLeavesWhatRuns),
                test("a name that nobody has is refused", this::aNameThatNobodyHasIsRefused),
                test("every machine has its own id", this::everyMachineHasItsOwnId),
                test("whoever is attached loses what is stopped", this::whoeverIsAttachedLosesWhatIsStopped),
                test("a machine that was stopped is gone, and the other is not", this::aStoppedMachineIsGone),
                test("whoever let go does not lose it", this::whoeverLetGoDoesNotLoseIt),
                test("what is left can be stopped", this::stopAll));
    }

    private static DynamicTest test(String name, Executable body) {
        return DynamicTest.dynamicTest(name, body);
    }

    /** Returns one of the two machines. */
    private String machine(int number) {
        while (started.size() <= number) {
            started.add(await(keeper.start(spec, LIFE, steps::add)));
        }
        return started.get(number);
    }

    private void aStartEndsReady() {
        machine(0);
        assertEquals(MachinePhase.READY, steps.get(steps.size() - 1).phase());
    }

    private void whatWasStartedIsListed() {
        MachineSummary summary = listed(machine(0)).orElseThrow();
        assertEquals(spec.gpu().name(), summary.gpu());
        assertTrue(summary.attachable(), summary::toString);
        assertFalse(summary.state().startsWith("ended"), summary::toString);
    }

    private void itCanBeAttachedTo() {
        Lease lease = attach(machine(0));
        assertEquals(machine(0), lease.id());
        assertNotNull(lease.endpoint());
        release(lease);
    }

    private void releasingLeavesItRunning() {
        release(attach(machine(0)));
        assertTrue(listed(machine(0)).isPresent());
        release(attach(machine(0)));
    }

    private void sweepingLeavesWhatRuns() {
        machine(0);
        await(keeper.sweep());
        release(attach(machine(0)));
    }

    private void everyMachineHasItsOwnId() {
        assertNotEquals(machine(0), machine(1));
    }

    private void whoeverIsAttachedLosesWhatIsStopped() {
        Lease lease = attach(machine(1));
        stop(machine(1));
        assertEquals(MachineLoss.Cause.FAILED, await(lease.lost()).cause());
        release(lease);
    }

    private void aStoppedMachineIsGone() {
        String stopped = machine(1);
        stop(stopped);
        Await.until(
                timeout,
                stopped + " is not listed any more",
                () -> listed(stopped).isEmpty());
        assertCannotBeAttachedTo(stopped);
        release(attach(machine(0)));
    }

    private void whoeverLetGoDoesNotLoseIt() {
        Lease lease = attach(machine(0));
        List<MachineLoss> losses = new CopyOnWriteArrayList<>();
        lease.lost().subscribe().with(losses::add);
        release(lease);
        stop(machine(0));
        assertEquals(List.of(), losses);
    }

    private void stopAll() {
        started.forEach(this::stop);
    }

    private void aNameThatNobodyHasIsRefused() {
        assertCannotBeAttachedTo("no-such-machine");
    }

    private void assertCannotBeAttachedTo(String id) {
        var refused = assertThrows(RuntimeException.class, () -> attach(id));
        assertTrue(refused.getMessage().contains(id), refused::getMessage);
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
        if (stopped.add(id)) {
            await(keeper.stop(id));
        }
    }

    private <T> T await(Uni<T> answer) {
        return answer.await().atMost(timeout);
    }
}

package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.stats.Provisioning;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The duration of a start can be read during the start and afterwards. */
@Tag("quick")
class ProvisioningTest {
    private static final Duration DELAY = Duration.ofMillis(50);

    private final List<MachinePhase> heard = new CopyOnWriteArrayList<>();

    @Test
    void everyPhaseHasItsTime() {
        try (RemoteMachine machine = machine(MockSettings.STANDARD.withProvisioning(DELAY))) {
            machine.awaitReady();
            Provisioning provisioning = machine.provisioning();
            assertEquals(Provisioning.State.READY, provisioning.state());
            assertEquals(
                    List.of(MachinePhase.QUEUED, MachinePhase.STARTING, MachinePhase.CONNECTING),
                    provisioning.phases().stream()
                            .map(Provisioning.PhaseTime::phase)
                            .toList());
            assertTrue(provisioning.phases().getFirst().duration().compareTo(DELAY) >= 0, provisioning::toString);
            assertTrue(provisioning.total().compareTo(DELAY) >= 0, provisioning::toString);
            assertTrue(provisioning.text().startsWith("mock-1 is ready: "), provisioning::text);
            assertEquals(provisioning, machine.stats().provisioning());
            assertEquals(
                    List.of(MachinePhase.QUEUED, MachinePhase.STARTING, MachinePhase.CONNECTING, MachinePhase.READY),
                    heard);
        }
    }

    @Test
    void aStartThatGoesOnSaysWhatIsDone() {
        try (RemoteMachine machine = machine(MockSettings.STANDARD.withProvisioning(Duration.ofHours(1)))) {
            Await.until("the start is told of", () -> !heard.isEmpty());
            Provisioning provisioning = machine.provisioning();
            assertEquals(Provisioning.State.GOING_ON, provisioning.state());
            assertEquals("asking for a mock A100", provisioning.text());
        }
    }

    @Test
    void aStartThatFailedIsOver() {
        RemoteMachine machine = machine(MockSettings.STANDARD.withFailure("no A100 is free"));
        assertThrows(OutpostException.class, machine::awaitReady);
        assertEquals(Provisioning.State.FAILED, machine.provisioning().state());
        machine.close();
    }

    private RemoteMachine machine(MockSettings settings) {
        MachineOptions options = new MachineOptions().progress(step -> heard.add(step.phase()));
        return RemoteMachine.of(new MockProvider(settings), "A100", options);
    }
}

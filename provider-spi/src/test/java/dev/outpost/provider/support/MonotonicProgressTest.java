package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonotonicProgressTest {
    private final List<ProvisioningStep> told = new ArrayList<>();
    private Duration elapsed = Duration.ZERO;
    private final MonotonicProgress progress = new MonotonicProgress(told::add, () -> elapsed);

    @Test
    void progressHasPhaseTextAndTime() {
        elapsed = Duration.ofSeconds(3);
        progress.report(MachinePhase.PULLING, "pulling the image");
        assertEquals(List.of(new ProvisioningStep(MachinePhase.PULLING, "pulling the image", elapsed)), told);
    }

    @Test
    void phaseNeverGoesBack() {
        progress.report(MachinePhase.STARTING, "starting");
        progress.report(MachinePhase.SCHEDULING, "waiting for a node");
        assertEquals(MachinePhase.STARTING, told.getLast().phase());
        assertEquals("waiting for a node", told.getLast().text());
    }

    @Test
    void repeatedProgressIsNotReported() {
        progress.report(MachinePhase.SCHEDULING, "waiting for a node");
        elapsed = Duration.ofSeconds(1);
        progress.report(MachinePhase.SCHEDULING, "waiting for a node");
        assertEquals(1, told.size());
    }

    @Test
    void anOldTextInANewPhaseIsNew() {
        progress.report(MachinePhase.SCHEDULING, "waiting");
        progress.report(MachinePhase.PULLING, "waiting");
        assertEquals(2, told.size());
    }

    @Test
    void troubleIsToldInThePhaseThatWasReached() {
        progress.report(MachinePhase.PULLING, "pulling the image");
        progress.report("the API server does not answer");
        assertEquals(MachinePhase.PULLING, told.getLast().phase());
        assertEquals("being prepared on its node: the API server does not answer", progress.standing());
    }

    @Test
    void phasesAfterReadyAreNotReported() {
        progress.report(MachinePhase.STARTING, "starting");
        progress.report(MachinePhase.UNREACHABLE, "its node does not answer");
        assertEquals(
                List.of(MachinePhase.STARTING, MachinePhase.STARTING),
                told.stream().map(ProvisioningStep::phase).toList());
        assertEquals("its node does not answer", told.getLast().text());
        progress.report(MachinePhase.READY, "ready");
        assertEquals(MachinePhase.READY, told.getLast().phase());
    }
}

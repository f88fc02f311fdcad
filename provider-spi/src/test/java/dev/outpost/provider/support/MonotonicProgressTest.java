package dev.outpost.provider.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.ProvisioningStep.Phase;
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
        progress.report(Phase.PULLING, "pulling the image");
        assertEquals(List.of(new ProvisioningStep(Phase.PULLING, "pulling the image", elapsed)), told);
    }

    @Test
    void phaseNeverGoesBack() {
        progress.report(Phase.STARTING, "starting");
        progress.report(Phase.SCHEDULING, "waiting for a node");
        assertEquals(Phase.STARTING, told.getLast().phase());
        assertEquals("waiting for a node", told.getLast().text());
    }

    @Test
    void repeatedProgressIsNotReported() {
        progress.report(Phase.SCHEDULING, "waiting for a node");
        elapsed = Duration.ofSeconds(1);
        progress.report(Phase.SCHEDULING, "waiting for a node");
        assertEquals(1, told.size());
    }

    @Test
    void anOldTextInANewPhaseIsNew() {
        progress.report(Phase.SCHEDULING, "waiting");
        progress.report(Phase.PULLING, "waiting");
        assertEquals(2, told.size());
    }

    @Test
    void troubleIsToldInThePhaseThatWasReached() {
        progress.report(Phase.PULLING, "pulling the image");
        progress.report("the API server does not answer");
        assertEquals(Phase.PULLING, told.getLast().phase());
        assertEquals("being prepared on its node: the API server does not answer", progress.standing());
    }
}

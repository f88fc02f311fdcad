package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SuspendedJobTest {
    @Test
    void aHeldJobHasNoPod() {
        Job held = SuspendedJob.of(DesiredState.job(MachineSpecFixtures.of("A100")));
        assertEquals(true, held.getSpec().getSuspend());
        assertTrue(SuspendedJob.isHeld(held));
    }

    @Test
    void aHeldJobIsInNoQueue() {
        Job held = SuspendedJob.of(DesiredState.job(MachineSpecFixtures.of("A100", "queue", "team")));
        assertFalse(held.getMetadata().getLabels().containsKey(MachineLabels.QUEUE));
    }

    @Test
    void aReleaseLetsItRun() {
        assertRelease("""
                metadata:
                  annotations:
                    outpost.dev/held: null
                spec:
                  suspend: false
                """);
    }

    /** A repeated request must not suspend a Job again that the queue has started. */
    @Test
    void aReleaseIntoAQueueLeavesItSuspended() {
        assertRelease("""
                metadata:
                  annotations:
                    outpost.dev/held: null
                  labels:
                    kueue.x-k8s.io/queue-name: team
                """, "queue", "team");
    }

    @Test
    void releasedJobHasNoHold() {
        assertFalse(SuspendedJob.isHeld(DesiredState.job(MachineSpecFixtures.of("A100"))));
    }

    private static void assertRelease(String yaml, String... settings) {
        String patch = SuspendedJob.release(DesiredState.job(MachineSpecFixtures.of("A100", settings)));
        assertEquals(Serialization.unmarshal(yaml, Map.class), Serialization.unmarshal(patch, Map.class), () -> patch);
    }
}

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
class HeldJobTest {
    @Test
    void aHeldJobHasNoPod() {
        Job held = HeldJob.of(DesiredState.job(Requests.of("A100")));
        assertEquals(true, held.getSpec().getSuspend());
        assertTrue(HeldJob.isHeld(held));
    }

    @Test
    void aHeldJobIsInNoQueue() {
        Job held = HeldJob.of(DesiredState.job(Requests.of("A100", "queue", "team")));
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

    /** A repeated one must not suspend again what the queue has let run. */
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
        assertFalse(HeldJob.isHeld(DesiredState.job(Requests.of("A100"))));
    }

    private static void assertRelease(String yaml, String... settings) {
        String patch = HeldJob.release(DesiredState.job(Requests.of("A100", settings)));
        assertEquals(Serialization.unmarshal(yaml, Map.class), Serialization.unmarshal(patch, Map.class), () -> patch);
    }
}

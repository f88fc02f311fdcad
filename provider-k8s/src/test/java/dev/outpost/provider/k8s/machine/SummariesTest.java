package dev.outpost.provider.k8s.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.k8s.MachineObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SummariesTest {
    private static final Instant NOW = MachineObjects.CREATED.plusSeconds(600);

    @Test
    void runningMachineIsSummarized() {
        MachineSummary summary =
                only(MachineObjects.stated(MachineObjects.job()), MachineObjects.running(MachineObjects.ID, true));
        assertEquals(
                new MachineSummary(
                        MachineObjects.ID,
                        "T4",
                        "running",
                        "ada@laptop",
                        MachineObjects.CREATED,
                        Optional.of(MachineObjects.CREATED.plusSeconds(7205)),
                        true),
                summary);
    }

    @Test
    void machineOfAClientIsNotAttachable() {
        assertFalse(only(MachineObjects.job(), MachineObjects.running(MachineObjects.ID, true))
                .attachable());
    }

    @Test
    void aMachineThatIsNotReadyIsStarting() {
        assertEquals(
                "starting",
                only(MachineObjects.job(), MachineObjects.running(MachineObjects.ID, false))
                        .state());
    }

    @Test
    void aMachineWithoutAPodWaits() {
        assertEquals("waiting for the pod of the Job", state(MachineObjects.job()));
    }

    @Test
    void aMachineThatEndedSaysWhyAndWhen() {
        Instant end = MachineObjects.CREATED.plusSeconds(300);
        Job job = MachineObjects.ended(MachineObjects.stated(MachineObjects.job()), "Complete", end);
        MachineSummary summary =
                only(job, MachineObjects.exited(MachineObjects.ID, 0, "idle: no instruction for 10 minutes"));
        assertEquals("ended: the machine was idle: no instruction for 10 minutes", summary.state());
        assertEquals(Optional.of(end), summary.ends());
        assertFalse(summary.attachable());
    }

    @Test
    void aMachineWhosePodIsGoneHasEnded() {
        assertEquals("ended", state(MachineObjects.ended(MachineObjects.job(), "Complete", NOW)));
    }

    @Test
    void summaryLeavesRemediesOut() {
        String state = state(MachineObjects.ended(MachineObjects.job(), "Failed", NOW));
        assertTrue(state.startsWith("ended: the Job has failed: BackoffLimitExceeded"), state);
        assertFalse(state.contains(". "), state);
    }

    @Test
    void summariesAreOrderedByAge() {
        Job young = new JobBuilder(MachineObjects.job("outpost-a"))
                .editMetadata()
                .withCreationTimestamp(NOW.toString())
                .endMetadata()
                .build();
        List<MachineSummary> all = Summaries.of(List.of(young, MachineObjects.job("outpost-b")), List.of(), NOW);
        assertEquals(
                List.of("outpost-b", "outpost-a"),
                all.stream().map(MachineSummary::id).toList());
    }

    private static String state(Job job) {
        return Summaries.of(List.of(job), List.of(), NOW).getFirst().state();
    }

    private static MachineSummary only(Job job, Pod pod) {
        return Summaries.of(List.of(job), List.of(MachineObjects.running("outpost-other", false), pod), NOW)
                .getFirst();
    }
}

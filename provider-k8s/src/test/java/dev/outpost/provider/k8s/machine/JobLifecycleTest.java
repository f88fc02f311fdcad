package dev.outpost.provider.k8s.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.MachineObjects;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobLifecycleTest {
    private static final Instant END = MachineObjects.CREATED.plusSeconds(60);

    @Test
    void aJobEndsWhenItIsCompleteOrHasFailed() {
        assertEquals(Optional.empty(), new JobLifecycle(MachineObjects.job()).ended());
        assertEquals(
                Optional.of(END), new JobLifecycle(MachineObjects.ended(MachineObjects.job(), "Failed", END)).ended());
        assertEquals(
                Optional.of(END),
                new JobLifecycle(MachineObjects.ended(MachineObjects.job(), "Complete", END)).ended());
        assertEquals(
                Optional.empty(),
                new JobLifecycle(MachineObjects.ended(MachineObjects.job(), "Suspended", END)).ended());
    }

    @Test
    void theDeadlineCountsFromTheStart() {
        assertEquals(
                Optional.of(MachineObjects.CREATED.plusSeconds(5 + 7200)),
                new JobLifecycle(MachineObjects.job()).deadline());
    }

    @Test
    void aJobThatWaitsHasNoDeadlineYet() {
        var waiting = new JobBuilder(MachineObjects.job()).withStatus(null).build();
        assertEquals(Optional.empty(), new JobLifecycle(waiting).deadline());
        assertEquals(Optional.empty(), new JobLifecycle(waiting).ended());
    }
}

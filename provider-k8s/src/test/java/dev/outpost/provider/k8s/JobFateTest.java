package dev.outpost.provider.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobFateTest {
    private static final Instant END = Machines.CREATED.plusSeconds(60);

    @Test
    void aJobEndsWhenItIsCompleteOrHasFailed() {
        assertEquals(Optional.empty(), new JobFate(Machines.job()).ended());
        assertEquals(Optional.of(END), new JobFate(Machines.ended(Machines.job(), "Failed", END)).ended());
        assertEquals(Optional.of(END), new JobFate(Machines.ended(Machines.job(), "Complete", END)).ended());
        assertEquals(Optional.empty(), new JobFate(Machines.ended(Machines.job(), "Suspended", END)).ended());
    }

    @Test
    void theDeadlineCountsFromTheStart() {
        assertEquals(Optional.of(Machines.CREATED.plusSeconds(5 + 7200)), new JobFate(Machines.job()).deadline());
    }

    @Test
    void aJobThatWaitsHasNoDeadlineYet() {
        var waiting = new JobBuilder(Machines.job()).withStatus(null).build();
        assertEquals(Optional.empty(), new JobFate(waiting).deadline());
        assertEquals(Optional.empty(), new JobFate(waiting).ended());
    }
}

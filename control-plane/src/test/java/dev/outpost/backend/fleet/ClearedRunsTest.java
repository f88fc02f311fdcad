package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.model.job.Job;
import dev.outpost.backend.model.job.JobObservation;
import dev.outpost.backend.model.job.JobSpec;
import dev.outpost.backend.model.job.JobStateMachine;
import dev.outpost.backend.store.TestDatabase;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ClearedRunsTest {
    private static final Instant NOW = TestDatabase.START;
    private static final Duration LEASE = Duration.ofMinutes(15);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    private final ClearedRuns cleared = new ClearedRuns(nanos::get, LEASE);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static Job running() {
        JobSpec spec = new JobSpec(
                "acme",
                "vision",
                "ada",
                "k1",
                "train",
                "A100",
                "ab".repeat(32),
                "app.jar",
                List.of(),
                Map.of(),
                List.of(),
                3,
                Duration.ofHours(1));
        return begun(Job.created(new UUID(0, 7), spec, NOW));
    }

    private static Job begun(Job waiting) {
        UUID machine = UUID.randomUUID();
        Job starting = step(waiting, new JobObservation.Started(machine));
        return step(starting, new JobObservation.Begin(machine, UUID.randomUUID(), LEASE));
    }

    private static Job step(Job row, JobObservation observation) {
        return JobStateMachine.apply(row, observation, NOW).row();
    }

    private static JobObservation machineEnded(Duration cleared) {
        return new JobObservation.Tick(Optional.of(Phase.ENDED), true, "it is gone", LEASE, cleared);
    }

    @Test
    void timeBeginsWithTheFirstLookAtEachRun() {
        Job first = step(running(), machineEnded(Duration.ZERO));
        assertEquals(Duration.ZERO, cleared.time(first));
        pass(Duration.ofMinutes(9));
        assertEquals(Duration.ofMinutes(9), cleared.time(first));
        Job second = step(begun(step(first, machineEnded(LEASE))), machineEnded(Duration.ZERO));
        assertEquals(2, second.attempt());
        assertEquals(Duration.ZERO, cleared.time(second));
    }

    @Test
    void otherPhasesAreNotCounted() {
        Job run = running();
        Job given = step(run, machineEnded(Duration.ZERO));
        cleared.time(given);
        pass(Duration.ofMinutes(9));
        assertEquals(Duration.ZERO, cleared.time(run));
        assertEquals(Duration.ZERO, cleared.time(given));
    }

    @Test
    void jobsThatOthersGoOnWithAreForgotten() {
        Job given = step(running(), machineEnded(Duration.ZERO));
        cleared.time(given);
        pass(LEASE.plusSeconds(1));
        cleared.prune();
        assertEquals(Duration.ZERO, cleared.time(given));
    }
}

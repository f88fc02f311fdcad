package dev.outpost.backend.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.job.JobStateMachine.Action;
import dev.outpost.rest.job.JobPhase;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a job, without a database. */
@Tag("quick")
class JobStateMachineTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofMinutes(15);
    private static final UUID MACHINE = new UUID(1, 1);
    private static final UUID RUNNER = new UUID(2, 2);

    static JobSpec spec(int retries) {
        return new JobSpec(
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
                retries,
                Duration.ofHours(1));
    }

    private static Job created(int retries) {
        return Job.created(new UUID(0, 7), spec(retries), NOW);
    }

    private static JobStateMachine.Step step(Job row, JobObservation observation) {
        return JobStateMachine.apply(row, observation, NOW);
    }

    private static JobObservation tick(Phase machine) {
        return tick(machine, false);
    }

    private static JobObservation tick(Phase machine, boolean isUnseen) {
        return tick(machine, isUnseen, Duration.ZERO);
    }

    private static JobObservation tick(Phase machine, boolean isUnseen, Duration cleared) {
        return new JobObservation.Tick(
                Optional.ofNullable(machine), isUnseen, "the node failed", START_TIMEOUT, cleared);
    }

    private static Job running(int retries) {
        Job starting =
                step(created(retries), new JobObservation.Started(MACHINE)).row();
        return step(starting, new JobObservation.Begin(MACHINE, RUNNER, LEASE)).row();
    }

    private static JobObservation exited(int code) {
        return new JobObservation.Exited(MACHINE, RUNNER, code, false, "its program ended with " + code);
    }

    @Test
    void newJobAsksForAMachine() {
        assertEquals(Optional.of(Action.START), step(created(0), tick(null)).action());
    }

    @Test
    void oneProcessBeginsARun() {
        Job row = running(0);
        assertEquals(JobPhase.RUNNING, row.phase());
        assertEquals(1, row.attempt());
        assertEquals(
                row, step(row, new JobObservation.Begin(MACHINE, RUNNER, LEASE)).row(), "repeating it changes nothing");
        JobObservation.Begin other = new JobObservation.Begin(MACHINE, new UUID(3, 3), LEASE);
        assertEquals(row, step(row, other).row());
        assertTrue(!JobStateMachine.isBegun(row, other) && !JobStateMachine.mayBegin(row, other));
    }

    @Test
    void programThatEndsWithZeroSucceedsAndEndsItsMachine() {
        JobStateMachine.Step ended = step(running(3), exited(0));
        assertEquals(JobPhase.SUCCEEDED, ended.row().phase());
        assertEquals(Optional.of(Action.END), ended.action());
        assertEquals(Optional.of(0), ended.row().exitCode());
    }

    @Test
    void failureWithoutRetriesIsTheEnd() {
        Job row = step(running(0), exited(3)).row();
        assertEquals(JobPhase.FAILED, row.phase());
        assertEquals(Optional.of(3), row.exitCode());
        assertEquals("run 1 of at most 1: its program ended with 3", row.text());
    }

    @Test
    void nextRunBeginsOnceTheMachineOfTheLastOneIsOver() {
        JobStateMachine.Step failed = step(running(1), exited(3));
        assertEquals(JobPhase.CLEARING, failed.row().phase());
        assertEquals(Optional.of(Action.END), failed.action());
        assertEquals(
                JobPhase.CLEARING, step(failed.row(), tick(Phase.ENDING)).row().phase());
        Job waiting = step(failed.row(), tick(Phase.ENDED)).row();
        assertEquals(JobPhase.WAITING, waiting.phase());
        assertEquals(Optional.empty(), waiting.machine());
    }

    /** The host of the first run may be cut off while the program still runs there. */
    @Test
    void nextRunOfALostMachineWaitsForTheLease() {
        Job clearing = step(running(1), tick(Phase.ENDED, true)).row();
        assertEquals(JobPhase.CLEARING, clearing.phase());
        assertEquals("run 1 of at most 2: its machine ended: the node failed", clearing.text());
        Duration contact = JobStateMachine.contact(running(1)).orElseThrow();
        Duration programIsOver = contact.plusSeconds(15);
        for (Phase machine : List.of(Phase.ENDED, Phase.ENDING)) {
            JobObservation early = tick(machine, true, programIsOver);
            assertEquals(clearing, step(clearing, early).row(), "its program was just ended");
            JobObservation late = tick(machine, true, LEASE);
            assertEquals(JobPhase.WAITING, step(clearing, late).row().phase());
        }
    }

    /** The setting may have changed since, or may differ in another replica: the runner knows only the lease that was granted. */
    @Test
    void nextRunWaitsForTheLeaseThatTheLastOneWasGranted() {
        Duration granted = LEASE.multipliedBy(3);
        Job starting = step(created(2), new JobObservation.Started(MACHINE)).row();
        Job row = step(starting, new JobObservation.Begin(MACHINE, RUNNER, granted))
                .row();
        JobObservation.Begin repeated = new JobObservation.Begin(MACHINE, RUNNER, LEASE);
        assertEquals(
                Optional.of(granted.minusSeconds(30)),
                JobStateMachine.contact(step(row, repeated).row()),
                "the answer is the same when it is asked for again");
        Job clearing = step(row, tick(Phase.ENDED, true)).row();
        assertEquals(
                clearing,
                step(clearing, tick(Phase.ENDED, true, granted.minusMillis(1))).row());
        Job next = step(clearing, tick(Phase.ENDED, true, granted)).row();
        assertEquals(JobPhase.WAITING, next.phase());
        assertEquals(Optional.empty(), next.lease(), "the next run is granted its own");
    }

    /** A version without leases started the run. */
    @Test
    void nextRunOfARunWithoutALeaseWaitsForItsMachineOrItsTimeout() {
        Job row = withoutLease(running(1));
        assertEquals(Optional.empty(), JobStateMachine.contact(row));
        Job clearing = step(row, tick(Phase.ENDED, true)).row();
        Duration timeout = row.spec().timeout().plus(JobStateMachine.OVERTIME);
        assertEquals(
                clearing,
                step(clearing, tick(Phase.ENDED, true, timeout.minusMillis(1))).row());
        for (Job over : List.of(
                step(clearing, tick(Phase.ENDED, true, timeout)).row(),
                step(clearing, tick(Phase.ENDED)).row())) {
            assertEquals(JobPhase.WAITING, over.phase());
        }
    }

    private static Job withoutLease(Job row) {
        return new Job(
                row.id(),
                row.version(),
                row.spec(),
                row.phase(),
                row.since(),
                row.text(),
                row.attempt(),
                row.starts(),
                row.machine(),
                row.runner(),
                row.silent(),
                row.begun(),
                Optional.empty(),
                row.exitCode(),
                row.stop(),
                row.retryAt(),
                row.created());
    }

    @Test
    void clockThatJumpsDoesNotShortenTheLease() {
        Job clearing = step(running(1), tick(Phase.ENDED, true)).row();
        JobObservation observation = tick(Phase.ENDED, true, Duration.ofSeconds(1));
        assertEquals(
                clearing,
                JobStateMachine.apply(clearing, observation, NOW.plus(Duration.ofHours(9)))
                        .row());
    }

    @Test
    void onlyRunsThatMayBeRepeatedNeedContact() {
        assertEquals(Optional.empty(), JobStateMachine.contact(running(0)));
        assertEquals(Optional.of(LEASE.minusSeconds(30)), JobStateMachine.contact(running(1)));
    }

    @Test
    void lostRunIsNotRepeatedUnasked() {
        assertEquals(JobPhase.FAILED, step(running(0), tick(Phase.ENDED)).row().phase());
        assertEquals(
                JobPhase.CLEARING, step(running(1), tick(Phase.ENDED)).row().phase());
        assertEquals(JobPhase.RUNNING, step(running(0), tick(Phase.LOST)).row().phase(), "it may come back");
    }

    @Test
    void machineThatEndsBeforeTheProgramBeganCostsNoRun() {
        Job row = created(0);
        for (int i = 1; i < JobStateMachine.STARTS; i++) {
            row = step(row, new JobObservation.Started(new UUID(1, i))).row();
            row = step(row, tick(Phase.ENDED)).row();
            assertEquals(JobPhase.WAITING, row.phase());
            assertEquals(0, row.attempt());
        }
        row = step(row, new JobObservation.Started(MACHINE)).row();
        assertEquals(JobPhase.FAILED, step(row, tick(Phase.ENDED)).row().phase());
    }

    @Test
    void runnerIsLostAfterLooksWithoutAWord() {
        Job row = running(0);
        for (int i = 0; i < JobStateMachine.SILENT_LOOKS; i++) {
            row = step(row, tick(Phase.READY)).row();
            assertEquals(JobPhase.RUNNING, row.phase());
        }
        Job heard = step(row, new JobObservation.Heard(MACHINE, RUNNER)).row();
        assertEquals(JobPhase.RUNNING, step(heard, tick(Phase.READY)).row().phase());
        assertEquals(JobPhase.FAILED, step(row, tick(Phase.READY)).row().phase());
    }

    // ---- a runner that does not report

    private static Job starting() {
        return step(created(3), new JobObservation.Started(MACHINE)).row();
    }

    private static Job looked(Job row, int times) {
        Job next = row;
        for (int i = 0; i < times; i++) {
            next = step(next, tick(Phase.READY)).row();
        }
        return next;
    }

    @Test
    void runnerThatNeverReportsFailsTheJobAndEndsTheMachineWithItsLastMessage() {
        Job row = looked(starting(), JobStateMachine.UNHEARD_LOOKS);
        assertEquals("its machine is ready, and its runner has not reached the backend yet", row.text());
        row = step(row, new JobObservation.RunnerSaid(MACHINE, "no route to host"))
                .row();
        assertEquals(
                "its machine is ready, and its runner has not reached the backend yet; it says: no route to host",
                row.text());
        row = looked(row, (int) START_TIMEOUT.toSeconds() - JobStateMachine.UNHEARD_LOOKS);
        assertEquals(JobPhase.STARTING, row.phase());
        JobStateMachine.Step over = step(row, tick(Phase.READY));
        assertEquals(
                JobPhase.FAILED,
                over.row().phase(),
                "also where retries are left: the next one would not report either");
        assertEquals(Optional.of(Action.END), over.action());
        assertTrue(
                over.row().text().contains("OUTPOST_BACKEND_JOBS_ADDRESS"),
                over.row().text());
        assertTrue(
                over.row().text().endsWith("it said: no route to host"),
                over.row().text());
    }

    @Test
    void onlyLooksAtAReadyMachineCount() {
        Job row = starting();
        for (int i = 0; i < 100; i++) {
            row = JobStateMachine.apply(row, tick(Phase.BIND), NOW.plus(Duration.ofHours(i)))
                    .row();
        }
        assertEquals(starting().text(), row.text());
        Instant muchLater = NOW.plus(Duration.ofDays(1));
        assertEquals(
                JobPhase.STARTING,
                JobStateMachine.apply(row, tick(Phase.READY), muchLater).row().phase(),
                "the time without a backend does not count");
    }

    @Test
    void runnerThatWaitsForItsMachineHasReported() {
        Job row = looked(starting(), (int) START_TIMEOUT.toSeconds());
        row = step(row, new JobObservation.Waiting(MACHINE)).row();
        assertEquals(JobPhase.STARTING, step(row, tick(Phase.READY)).row().phase());
        assertEquals(
                row,
                step(row, new JobObservation.RunnerSaid(MACHINE, "an old line")).row(),
                "it has reported since");
        assertEquals(
                JobPhase.RUNNING,
                step(row, new JobObservation.Begin(MACHINE, RUNNER, LEASE))
                        .row()
                        .phase());
    }

    @Test
    void cancelledJobEndsItsProgramFirst() {
        Job stopping = step(running(3), new JobObservation.CancelAsked("ada")).row();
        assertEquals(JobPhase.STOPPING, stopping.phase());
        assertEquals(JobPhase.CANCELLED, step(stopping, exited(143)).row().phase());
        assertEquals(JobPhase.SUCCEEDED, step(stopping, exited(0)).row().phase(), "it was quicker");
        JobStateMachine.Step slow = JobStateMachine.apply(
                stopping, tick(Phase.READY), NOW.plus(JobStateMachine.STOPPING).plusSeconds(1));
        assertEquals(JobPhase.CANCELLED, slow.row().phase());
        assertEquals(Optional.of(Action.END), slow.action());
        assertEquals(
                JobPhase.CANCELLED,
                step(created(0), new JobObservation.CancelAsked("ada")).row().phase());
    }

    @Test
    void programThatTakesTooLongFails() {
        JobObservation late = new JobObservation.Exited(MACHINE, RUNNER, 143, true, "it took too long");
        assertEquals(JobPhase.FAILED, step(running(3), late).row().phase());
        Instant over =
                NOW.plus(Duration.ofHours(1)).plus(JobStateMachine.OVERTIME).plusSeconds(1);
        assertEquals(
                JobPhase.STOPPING,
                JobStateMachine.apply(running(3), tick(Phase.READY), over).row().phase());
    }

    @Test
    void whateverComesNoMoreRunsBeginThanAskedFor() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            int retries = random.nextInt(3);
            Job row = created(retries);
            Instant now = NOW;
            for (int i = 0; i < 60; i++) {
                now = now.plusSeconds(random.nextInt(90));
                Job before = row;
                row = JobStateMachine.apply(row, drawn(random, row), now).row();
                assertTrue(row.attempt() <= retries + 1, "seed " + seed);
                assertTrue(!before.phase().isOver() || row.equals(before), "seed " + seed);
                assertTrue(row.attempt() - before.attempt() <= 1, "seed " + seed);
            }
        }
    }

    private static JobObservation drawn(Random random, Job row) {
        UUID machine = new UUID(1, random.nextInt(2));
        UUID runner = new UUID(2, random.nextInt(2));
        return switch (random.nextInt(10)) {
            case 0 -> row.phase() == JobPhase.WAITING ? new JobObservation.Started(machine) : tick(Phase.READY);
            case 1, 2 -> new JobObservation.Begin(machine, runner, LEASE);
            case 3 -> new JobObservation.Exited(machine, runner, random.nextInt(2), random.nextInt(9) == 0, "");
            case 4 -> new JobObservation.Heard(machine, runner);
            case 5 -> random.nextInt(9) == 0 ? new JobObservation.CancelAsked("ada") : tick(Phase.READY);
            case 6 -> tick(Phase.ENDED);
            case 7 -> new JobObservation.Waiting(machine);
            case 8 -> new JobObservation.RunnerSaid(machine, "no route to host");
            default -> tick(Phase.values()[random.nextInt(Phase.values().length)]);
        };
    }
}

package dev.outpost.provider.process.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFolderTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String SERVING =
            "endpoint    127.0.0.1:4711\npin         " + "0c".repeat(32) + "\ndevice      cpu\n";

    @TempDir
    Path folder;

    private StateFolder state;
    private Process sleeper;

    @BeforeEach
    void startAProcess() throws IOException {
        state = new StateFolder(folder.resolve("machines"));
        sleeper = new ProcessBuilder("sleep", "3600").start();
    }

    @AfterEach
    void endIt() {
        sleeper.destroyForcibly();
    }

    private MachineFolder make(Optional<Instant> ends) throws IOException {
        MachineRecord record = new MachineRecord(
                "outpost-a-1",
                new MachineRecord.Keeper.Fleet("one", "a", 1),
                "A100",
                Optional.of("GPU-1"),
                "ada@laptop",
                CREATED,
                ends,
                Map.of("project", "p = 1\n", "größe", "\\ :"));
        return state.make(record, List.of("java", "-jar"), Map.of(), Optional.empty())
                .orElseThrow();
    }

    private MachineFolder running() throws IOException {
        MachineFolder machine = make(Optional.empty());
        machine.write(
                "process",
                sleeper.pid() + "\n" + ProcessStartTime.of(sleeper.pid()).orElseThrow() + "\n");
        machine.write(MachineFolder.OUTPUT, SERVING);
        return machine;
    }

    private static Instant after(Duration time) {
        return CREATED.plus(time);
    }

    @Test
    void folderRoundTrips() throws IOException {
        MachineRecord record = make(Optional.of(after(Duration.ofHours(1)))).record();
        assertEquals(record, state.find("outpost-a-1").orElseThrow().record());
        assertEquals(List.of("java", "-jar"), state.list().getFirst().command());
        assertEquals(
                Optional.empty(),
                state.make(record, List.of(), Map.of(), Optional.empty()),
                "there is one of that name");
        assertEquals(1, state.list().size());
        assertEquals(Optional.empty(), state.find("../machines/outpost-a-1"));
    }

    @Test
    void machineServesOnceAllLinesWerePrinted() throws IOException {
        MachineFolder machine = running();
        machine.write(MachineFolder.OUTPUT, SERVING.substring(0, SERVING.length() - 1));
        assertEquals(MachinePhase.STARTING, machine.status(CREATED).state());
        machine.write(MachineFolder.OUTPUT, SERVING);
        MachineStatus status = machine.status(CREATED);
        assertEquals(MachinePhase.READY, status.state());
        assertEquals(4711, status.address().orElseThrow().port());
    }

    /** The id was reused: the process that has it now is not the machine, and is not ended. */
    @Test
    void aProcessThatStartedAtAnotherTimeIsNotTheMachine() throws Exception {
        MachineFolder machine = running();
        machine.write("process", sleeper.pid() + "\n1 of-another-boot\n");
        MachineStatus status = machine.status(CREATED);
        assertEquals(MachinePhase.ENDED, status.state());
        assertTrue(
                status.reason().startsWith("its process " + sleeper.pid() + " ended without a report"), status::reason);
        machine.end(CREATED);
        machine.kill();
        assertFalse(machine.attend(CREATED));
        assertFalse(sleeper.waitFor(200, TimeUnit.MILLISECONDS), "it was ended");
    }

    @Test
    void killedProcessIsGoneForEveryObserver() throws Exception {
        MachineFolder machine = running();
        machine.write(MachineFolder.LOG, "one\ntwo\nthree\nfour\n");
        sleeper.destroyForcibly().waitFor();
        MachineStatus status = machine.status(after(Duration.ofSeconds(1)));
        assertEquals(Optional.of(EndCause.FAILED), status.endCause());
        assertTrue(status.reason().endsWith("; its log ends: two | three | four"), status::reason);
        assertEquals(
                status,
                state.find("outpost-a-1").orElseThrow().status(after(Duration.ofHours(1))),
                "who finds out first says when it was");
    }

    @Test
    void reasonComesFromTheRuntimesEndFile() throws Exception {
        MachineFolder machine = running();
        machine.write("end", "idle: no instruction arrived for 10 min\n");
        assertEquals(MachinePhase.ENDING, machine.status(CREATED).state());
        sleeper.destroyForcibly().waitFor();
        MachineStatus status = machine.status(CREATED);
        assertEquals(Optional.of(EndCause.IDLE), status.endCause());
        assertEquals("no instruction arrived for 10 min", status.reason());
    }

    @Test
    void lateStarterIsRefused() throws IOException {
        MachineFolder machine = make(Optional.empty());
        assertEquals(MachinePhase.STARTING, machine.status(CREATED).state());
        assertTrue(machine.isUnstarted());
        MachineStatus late = machine.status(after(MachineFolder.UNSTARTED));
        assertEquals(Optional.of(EndCause.FAILED), late.endCause());
        assertEquals("it was never started: its client had ended before", late.reason());
        assertFalse(machine.isUnstarted());
    }

    @Test
    void machineThatIgnoresItsEndIsKilledByAnyObserver() throws Exception {
        MachineFolder machine = running();
        sleeper.destroyForcibly().waitFor();
        sleeper = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; sleep 3600 & wait; wait").start();
        assertEquals("ready", sleeper.inputReader().readLine());
        machine.write(
                "process",
                sleeper.pid() + "\n" + ProcessStartTime.of(sleeper.pid()).orElseThrow() + "\n");
        machine.end(CREATED);
        assertTrue(machine.attend(after(MachineFolder.ENDING)));
        assertEquals(MachinePhase.ENDING, machine.status(CREATED).state());
        machine.attend(after(MachineFolder.ENDING.plusMillis(1)));
        Await.ended("the process of the machine", sleeper);
        assertFalse(machine.attend(CREATED));
        assertFalse(machine.exists());
        assertEquals(MachinePhase.ENDED, machine.status(CREATED).state());
    }

    /** Another run may begin once a machine has ended, so the machine has not ended while a program still runs. */
    @Test
    void machineHasEndedOnceItsRunnerHas() throws Exception {
        MachineFolder machine = running();
        Process runner = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; sleep 3600 & wait; wait").start();
        try {
            assertEquals("ready", runner.inputReader().readLine());
            machine.write(
                    "runner",
                    runner.pid() + "\n" + ProcessStartTime.of(runner.pid()).orElseThrow() + "\n");
            sleeper.destroyForcibly().waitFor();
            machine.attend(CREATED);
            assertEquals(MachinePhase.ENDING, machine.status(CREATED).state());
            machine.attend(after(MachineFolder.ENDING));
            assertEquals(MachinePhase.ENDING, machine.status(CREATED).state());
            machine.attend(after(MachineFolder.ENDING.plusMillis(1)));
            Await.ended("the runner", runner);
            assertEquals(MachinePhase.ENDED, machine.status(CREATED).state());
        } finally {
            runner.destroyForcibly();
        }
    }

    @Test
    void machineEndsWithItsRunner() throws Exception {
        MachineFolder machine = running();
        machine.attend(CREATED);
        assertTrue(sleeper.isAlive(), "it has no runner");
        machine.write("runner", sleeper.pid() + "\n1 of-another-boot\n");
        machine.attend(CREATED);
        Await.ended("the process of the machine", sleeper);
    }

    /** Without a PID namespace, the children of a killed runner continue to run. */
    @Test
    void childrenOfAKilledRunnerAreKilledByTheirGroup() throws Exception {
        MachineFolder machine = running();
        Process runner = new ProcessBuilder("setsid", "sh", "-c", "sleep 34571 & echo $!; wait").start();
        ProcessHandle child = ProcessHandle.of(
                        Long.parseLong(runner.inputReader().readLine()))
                .orElseThrow();
        machine.write(
                "runner",
                runner.pid() + "\n" + ProcessStartTime.of(runner.pid()).orElseThrow() + "\n");
        runner.destroyForcibly().waitFor();
        sleeper.destroyForcibly().waitFor();
        assertTrue(child.isAlive());
        machine.attend(CREATED);
        Await.until(() -> "the child of the runner", () -> !child.isAlive());
    }

    @Test
    void machineBeyondItsLifetimeIsKilled() throws Exception {
        MachineFolder machine = make(Optional.of(after(Duration.ofMinutes(1))));
        machine.write(
                "process",
                sleeper.pid() + "\n" + ProcessStartTime.of(sleeper.pid()).orElseThrow() + "\n");
        machine.attend(after(Duration.ofMinutes(1).plus(MachineFolder.OVERDUE)));
        assertTrue(sleeper.isAlive());
        machine.attend(after(Duration.ofMinutes(1).plus(MachineFolder.OVERDUE).plusMillis(1)));
        Await.ended("the process of the machine", sleeper);
    }

    @Test
    void aFolderThatOthersCanReadIsRefused() throws IOException {
        Files.createDirectory(folder.resolve("machines"));
        Files.setPosixFilePermissions(folder.resolve("machines"), PosixFilePermissions.fromString("rwxr-xr-x"));
        var refused = assertThrows(IOException.class, () -> make(Optional.empty()));
        assertEquals(
                folder.resolve("machines") + " can be read or changed by others than its owner; chmod 700 it",
                refused.getMessage());
    }

    @Test
    void leftoversAreRemovedLater() throws IOException {
        make(Optional.empty());
        Path left = Files.createDirectory(state.path().resolve(".new-left"));
        Files.writeString(left.resolve("machine"), "half");
        state.tidy(Instant.now());
        assertTrue(Files.exists(left));
        state.tidy(Instant.now().plus(Duration.ofMinutes(2)));
        assertFalse(Files.exists(left));
    }

    @Test
    void aFolderThatMakesNoSenseDoesNotHideTheOthers() throws IOException {
        make(Optional.empty());
        Path broken = Files.createDirectory(state.path().resolve("broken"));
        Files.writeString(broken.resolve("machine"), "name=broken");
        Files.writeString(state.path().resolve("a-file"), "");
        assertEquals(1, state.list().size());
    }
}

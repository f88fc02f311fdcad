package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MachineLostException;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime without an owner ends by itself, and leaves the reason. */
class EndTest {
    private static final String SECRET = "given-given-given-given";
    private static final int ENDED_BY_SIGTERM = 143;

    @TempDir
    Path folder;

    private String endFile;

    /** The first connection of a JVM takes longer than some of these machines live. */
    @BeforeAll
    static void warmUp() throws InterruptedException {
        try (RemoteMachine machine = RuntimeProcess.shared().connect();
                RawConnection raw = RawConnection.greeted(RuntimeProcess.shared())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            raw.leave();
        }
    }

    @BeforeEach
    void chooseTheFile() {
        endFile = "-Doutpost.runtime.end.file=" + folder.resolve("end");
    }

    /** Strangers connect all the time, but nobody with the token. */
    @Test
    void unusedMachineEnds() throws IOException {
        try (RuntimeProcess runtime =
                RuntimeProcess.start("--lease", "700ms", "-Doutpost.runtime.end.unused=700ms", endFile)) {
            ManagedChannel door = RawChannel.to(runtime);
            Metadata stranger = RawConnection.headers(UUID.randomUUID().toString(), "x".repeat(43));
            Await.until("it ends", () -> {
                RawLane.start(door, RuntimeCalls.of(Lane.CONTROL), stranger).awaitEnd();
                return !runtime.isAlive();
            });
            door.shutdownNow();
            assertEquals(0, runtime.exitStatus());
            assertLeft("unused: no client has sent anything for 700 ms");
        }
    }

    /** The client is suddenly silent, as if it was killed. */
    @Test
    void aMachineWhoseClientDiedEndsOneLeaseLater() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(1500), this::dieAsAClient);
    }

    private void dieAsAClient(Duration lease) throws Exception {
        String time = lease.toMillis() + "ms";
        try (RuntimeProcess runtime =
                        RuntimeProcess.start("--lease", time, "-Doutpost.runtime.end.unused=" + time, endFile);
                RawConnection client = RawConnection.greeted(runtime)) {
            client.fill(1, 1);
            // Its last sign of life arrives later than this.
            long alive = System.nanoTime();
            client.control(new ToRuntime.Fetch(1, 1));
            client.next();
            client.close();
            assertEquals(0, runtime.exitStatus());
            Duration outlived = Duration.ofNanos(System.nanoTime() - alive);
            assertTrue(outlived.compareTo(lease.dividedBy(2)) > 0, () -> "it ended after " + outlived);
            assertLeft("unused: no client has sent anything for " + format(lease));
        }
    }

    /** Formats a time as the runtime does. */
    private static String format(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** Its signs of life arrive all the time, but they do not count as use. */
    @Test
    void aClientThatAsksForNothingKeepsTheMachineUntilItIsIdle() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(1500), this::askForNothing);
    }

    private void askForNothing(Duration lease) throws IOException {
        Duration rest = lease.plusMillis(200);
        try (RuntimeProcess idle = RuntimeProcess.start(
                "--lease",
                lease.toMillis() + "ms",
                "-Doutpost.runtime.end.unused=" + lease.toMillis() + "ms",
                "-Doutpost.runtime.end.idle=" + rest.toMillis() + "ms",
                endFile)) {
            RunningMachineProvider runningMachineProvider = new RunningMachineProvider(
                    idle.remote(), RuntimeProcess.shared().remote());
            try (RemoteMachine machine = RemoteMachine.of(runningMachineProvider, "any", new MachineOptions())) {
                Tensor lost = machine.ones(2, 3);
                assertEquals(6.0, lost.sum().itemDouble());
                assertEquals(0, idle.exitStatus());
                assertLeft("idle: no instruction arrived for " + format(rest));
                MachineLostException loss = assertThrows(
                        MachineLostException.class, () -> lost.sum().item());
                assertEquals(
                        "endpoints-any: the machine is lost: no instruction arrived for " + format(rest),
                        loss.getMessage());
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
        }
    }

    @Test
    void terminationSignalIsTheReason() throws IOException {
        try (RuntimeProcess runtime = RuntimeProcess.start(endFile)) {
            runtime.terminate();
            assertEquals(ENDED_BY_SIGTERM, runtime.exitStatus());
            assertLeft("drained: it was told to stop");
        }
    }

    @Test
    void aKeyMayComeLate() throws IOException {
        TestCertificateAuthority authority = new TestCertificateAuthority("ours");
        try (RuntimeProcess runtime = RuntimeProcess.launch(
                "-Doutpost.runtime.token-file=" + folder.resolve("token"),
                "-Doutpost.runtime.certificate=" + folder.resolve("certificate.pem"),
                "-Doutpost.runtime.key=" + folder.resolve("key.pem"))) {
            Await.until("it waits", () -> runtime.errors().contains("waiting for " + folder));
            authority.vouchFor("localhost", folder);
            Files.writeString(folder.resolve("token"), SECRET + "\n");
            runtime.awaitServing();
            try (RemoteMachine machine =
                    RemoteMachine.connect(runtime.endpoint(), SECRET + "." + runtime.said("pin"))) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
            assertFalse(
                    String.join("\n", runtime.output()).contains(SECRET),
                    "a secret from a file does not get into logs");
        }
    }

    @Test
    void aKeyThatNeverComesIsNotWaitedForForEver() throws IOException {
        Path token = folder.resolve("token");
        String sentence = "no key arrived: " + token
                + " was missing or empty for 300 ms; the program that starts the machine must send it";
        try (RuntimeProcess runtime =
                RuntimeProcess.launch("--lease", "300ms", "-Doutpost.runtime.token-file=" + token, endFile)) {
            assertEquals(1, runtime.exitStatus(), runtime::errors);
            assertTrue(runtime.errors().contains("outpost runtime: " + sentence), runtime::errors);
            assertLeft("failed: " + sentence);
        }
    }

    @Test
    @Tag("full")
    void aMachineDoesNotEndBeforeItsSessions() throws IOException {
        try (RuntimeProcess runtime = RuntimeProcess.launch("-Doutpost.runtime.end.unused=10s", endFile)) {
            assertEquals(1, runtime.exitStatus(), runtime::errors);
            assertLeft("failed: outpost.runtime.end.unused: a session outlives its client by the lease, PT30S,"
                    + " so expected no less, got PT10S");
        }
    }

    @Test
    @Tag("full")
    void aTokenStandsInOnePlace() throws IOException {
        try (RuntimeProcess runtime = RuntimeProcess.launch(
                "OUTPOST_RUNTIME_TOKEN=" + SECRET,
                "-Doutpost.runtime.token-file=" + folder.resolve("token"),
                endFile)) {
            assertEquals(1, runtime.exitStatus(), runtime::errors);
            assertLeft("failed: outpost.runtime.token and outpost.runtime.token-file: set only one of them");
        }
    }

    private void assertLeft(String line) throws IOException {
        assertEquals(line + "\n", Files.readString(folder.resolve("end")));
    }
}

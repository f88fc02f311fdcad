package dev.outpost.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.rpc.InstructionSnapshot;
import dev.outpost.channel.rpc.SessionSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class TopScreenTest {
    private static final SessionSnapshot EARLIER = SessionSnapshot.newBuilder()
            .setNumber(7)
            .setSegments(100)
            .setKernels(1000)
            .setEngineNanos(1_000_000_000)
            .addBytesIn(0)
            .addBytesIn(0)
            .addBytesOut(0)
            .addBytesOut(0)
            .build();

    private static Snapshot.Builder machine(long uptimeMillis) {
        return Snapshot.newBuilder()
                .setUptimeMillis(uptimeMillis)
                .setVersion("1.2")
                .setEngine("cpu")
                .setDevice("2 threads")
                .setLiveBytes(3 << 20)
                .setQuotaBytes(4L << 30)
                .setMaxSessions(64)
                .setPlans(5);
    }

    @Test
    void showsSessionsWithTheirRatesAndTheLatestInstructions() {
        Snapshot before = machine(60_000).addSessions(EARLIER).build();
        Snapshot now = machine(62_000)
                .addSessions(EARLIER.toBuilder()
                        .setConnected(true)
                        .setAgeMillis(3_700_000)
                        .setLiveBytes(3 << 20)
                        .setLiveValues(12)
                        .setQueuedMessages(2)
                        .setSegments(103)
                        .setKernels(5000)
                        .setEngineNanos(2_500_000_000L)
                        .setTurnWaitNanos(200_000_000)
                        .setBytesIn(1, 4096)
                        .setBytesOut(0, 100))
                .addInstructions(ran("add", 1_500))
                .addInstructions(ran("mul", 2_500))
                .addInstructions(ran("matmul", 1_234_567))
                .setInstructionsLeftOut(10)
                .build();
        assertEquals(
                List.of(
                        "outpost 1.2  cpu (2 threads)  up 1m02s",
                        "sessions 1 of 64  memory 3.0 MiB, quota 4.0 GiB a session  plans 5",
                        "",
                        "SESSION  AGE    CLIENT  MEMORY   VALUES  QUEUE  SEGMENTS/S  KERNELS/S  BUSY  WAITS  IN/S     OUT/S",
                        "7        1h01m  here    3.0 MiB  12      2      1.5         2,000      75 %  10 %   2.0 KiB  50 B",
                        "",
                        "SESSION  INSTRUCTION  RESULT           TIME",
                        "7        mul          float32[16, 16]  2.5 us",
                        "7        matmul       float32[16, 16]  1,234.6 us",
                        "and 11 more since the last look"),
                new TopScreen(2).lines(before, now));
    }

    @Test
    void aMachineWithoutSessionsIsNoSpecialCase() {
        assertEquals(
                List.of(
                        "outpost 1.2  cpu (2 threads)  up 5s  SHUTTING DOWN",
                        "sessions 0 of 64  memory 3.0 MiB, quota 4.0 GiB a session  plans 5",
                        "",
                        "SESSION  AGE  CLIENT  MEMORY  VALUES  QUEUE  SEGMENTS/S  KERNELS/S  BUSY  WAITS  IN/S  OUT/S"),
                new TopScreen(16)
                        .lines(
                                machine(5_000).build(),
                                machine(5_000).setDraining(true).build()));
    }

    @Test
    void controlCharactersOfAMachineAreRemoved() {
        Snapshot hostile = machine(5_000)
                .setDevice("\u001b[2J" + "x".repeat(1000))
                .addInstructions(ran("\u001b]0;owned\u0007", 1))
                .build();
        List<String> lines = new TopScreen(16).lines(hostile, hostile);
        assertTrue(lines.stream().noneMatch(line -> line.contains("\u001b")), lines::toString);
        assertTrue(lines.getFirst().length() < 300, lines::getFirst);
    }

    private static InstructionSnapshot ran(String op, long nanos) {
        return InstructionSnapshot.newBuilder()
                .setSession(7)
                .setOp(op)
                .setResult("float32[16, 16]")
                .setNanos(nanos)
                .build();
    }
}

package dev.outpost.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.channel.rpc.InstructionSnapshot;
import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.channel.rpc.SessionSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class GroupScreenTest {
    private static Snapshot snapshot(long uptimeMillis, long segments, long engineNanos, String op) {
        return Snapshot.newBuilder()
                .setUptimeMillis(uptimeMillis)
                .setEngine("cpu")
                .setLiveBytes(3 << 20)
                .addSessions(SessionSnapshot.newBuilder()
                        .setNumber(4)
                        .setSegments(segments)
                        .setKernels(10 * segments)
                        .setEngineNanos(engineNanos))
                .addInstructions(InstructionSnapshot.newBuilder()
                        .setSession(4)
                        .setOp(op)
                        .setResult("float32[3]")
                        .setNanos(1_500))
                .build();
    }

    private static Snapshot with(Snapshot machine, Snapshot... members) {
        Snapshot.Builder told = machine.toBuilder();
        for (int member = 0; member < members.length; member++) {
            told.addMembers(MemberSnapshot.newBuilder()
                    .setSession(4)
                    .setRank(member + 1)
                    .setSnapshot(members[member].toBuilder().clearInstructions()));
        }
        return told.build();
    }

    /** A member that comes later has no rates at first. */
    @Test
    void membersOfAGroupAreToldByOneMachine() {
        Snapshot before = with(snapshot(60_000, 100, 0, "add"), snapshot(5_000, 7, 0, "add"));
        Snapshot now = with(
                snapshot(62_000, 104, 0, "mul"), snapshot(6_000, 9, 250_000_000, "add"), snapshot(1_000, 1, 0, "add"));
        List<String> lines = new GroupScreen(3).lines(GroupScreen.Look.withMembers("a:1", before, now));
        assertEquals(
                List.of(
                        "MACHINE                ENGINE  UP     SESSIONS  MEMORY   SEGMENTS/S  KERNELS/S  BUSY  WAITS  IN/S  OUT/S",
                        "a:1                    cpu     1m02s  1         3.0 MiB  2.0         20         0 %   0 %    0 B   0 B",
                        "member 1 of session 4  cpu     6s     1         3.0 MiB  2.0         20         25 %  0 %    0 B   0 B",
                        "member 2 of session 4  cpu     1s     1         3.0 MiB  0.0         0.0        0 %   0 %    0 B   0 B"),
                lines.subList(0, 4));
    }

    @Test
    void aLineTellsOfEachMachineByItsOwnClock() {
        GroupScreen.Look first = new GroupScreen.Look(
                "a:1", snapshot(60_000, 100, 0, "add"), snapshot(62_000, 104, 1_000_000_000, "all_reduce"));
        GroupScreen.Look second =
                new GroupScreen.Look("b:2", snapshot(5_000, 7, 0, "add"), snapshot(6_000, 9, 250_000_000, "mul"));
        assertEquals(
                List.of(
                        "MACHINE  ENGINE  UP     SESSIONS  MEMORY   SEGMENTS/S  KERNELS/S  BUSY  WAITS  IN/S  OUT/S",
                        "a:1      cpu     1m02s  1         3.0 MiB  2.0         20         50 %  0 %    0 B   0 B",
                        "b:2      cpu     6s     1         3.0 MiB  2.0         20         25 %  0 %    0 B   0 B",
                        "",
                        "MACHINE  SESSION  INSTRUCTION  RESULT      TIME",
                        "a:1      4        all_reduce   float32[3]  1.5 us",
                        "b:2      4        mul          float32[3]  1.5 us"),
                new GroupScreen(3).lines(List.of(first, second)));
    }
}

package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the trace and the log of a program on a group: all members use the program's clock, and show their parts. */
class GroupTracesTest {
    private static final int SIZE = 2;
    private static final int STEPS = 5;
    /** A trace has three processes for each member, of which the last is the engine. */
    private static final int PROCESSES = 3;

    @TempDir
    Path folder;

    private static void run(MachineGroup group) {
        for (int step = 0; step < STEPS; step++) {
            float[] values = new float[6];
            group.sharded(HostTensor.of(values, 6), 0).add(1).cumsum(0).sum().item();
        }
    }

    /** Two members are in an exchange at the same time: neither ends before the other one has begun. */
    @Test
    void exchangesOfAllMembersAreOnOneClock() throws IOException {
        Path file = folder.resolve("trace.json");
        try (var group = MachineGroup.of("mock", "A100", SIZE, new MachineOptions().profile(file))) {
            run(group);
            group.machine().synchronize();
        }
        JsonNode trace = new ObjectMapper().readTree(file.toFile());
        List<double[]> first = exchanges(trace, PROCESSES);
        List<double[]> second = exchanges(trace, 2 * PROCESSES);
        assertEquals(STEPS, first.size());
        assertEquals(STEPS, second.size());
        double error = 0;
        for (JsonNode member : trace.get("otherData")) {
            error += member.get("clockErrorNanos").asDouble() / 1000;
        }
        for (int step = 0; step < STEPS; step++) {
            double begun = Math.max(first.get(step)[0], second.get(step)[0]);
            double over = Math.min(first.get(step)[1], second.get(step)[1]);
            assertTrue(begun <= over + error, begun + " and " + over + " within " + error);
        }
    }

    private static List<double[]> exchanges(JsonNode trace, int process) {
        List<double[]> found = new ArrayList<>();
        for (JsonNode event : trace.get("traceEvents")) {
            boolean isExchange = event.get("pid").asInt() == process
                    && event.get("name").asText().startsWith("all_gather ");
            if (isExchange && event.get("ph").asText().equals("b")) {
                found.add(new double[] {event.get("ts").asDouble(), Double.NaN});
            } else if (isExchange && event.get("ph").asText().equals("e")) {
                found.getLast()[1] = event.get("ts").asDouble();
            }
        }
        return found;
    }

    @Test
    void theLogTellsTheWorkerAndTheShard() throws IOException {
        Path file = folder.resolve("instructions.log");
        System.setProperty("outpost.instruction.log", file.toString());
        try (var group = MachineGroup.of("mock", "A100", SIZE)) {
            var x = group.sharded(HostTensor.of(new float[5], 5), 0).add(1);
            x.sum().item();
        } finally {
            System.clearProperty("outpost.instruction.log");
        }
        String log = Files.readString(file);
        for (String line : List.of(
                " | RUN | mock-A100x2[0] | Instruction | 0B | add(float32[3], float32[]) -> float32[3]",
                " | RUN | mock-A100x2[1] | Instruction | 0B | add(float32[2], float32[]) -> float32[2]",
                "is shard(0) at [0, 3, 5] on [0, 1]",
                "all_reduce(float32[]) -> float32[]")) {
            assertTrue(log.contains(line), () -> "no " + line + " in\n" + log);
        }
    }
}

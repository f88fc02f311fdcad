package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profile is a file that other programs read, so its contents must be consistent. */
@Tag("quick")
class ProfileTest {
    private static final int CLIENT = 1;
    private static final int WIRE = 2;
    private static final int ENGINE = 3;
    private static final int STEPS = 30;

    @TempDir
    private Path folder;

    private JsonNode profiled() throws IOException, InterruptedException {
        Path file = folder.resolve("trace.json");
        try (RemoteMachine machine = RemoteMachine.of(
                "mock", "A100", new MachineOptions().option("engine", "cpu").profile(file))) {
            Tensor x = machine.randn(64, 64).mul(0.1);
            Thread other = Thread.ofPlatform().name("second \"thread\"").start(() -> steps(machine, x));
            steps(machine, x);
            other.join();
            machine.synchronize();
        }
        return new ObjectMapper().readTree(file.toFile());
    }

    private static void steps(RemoteMachine machine, Tensor x) {
        for (int step = 0; step < STEPS; step++) {
            try (var scope = machine.scope()) {
                x.matmul(x).mul(2).relu().sum().item();
            }
        }
    }

    @Test
    void eventsOfAProfileAreConsistent() throws IOException, InterruptedException {
        JsonNode trace = profiled();
        // One machine; it has another name if an earlier test has left a machine of this name open.
        JsonNode about = trace.path("otherData").elements().next();
        assertEquals(0, about.path("droppedClientEvents").asLong());
        assertEquals(0, about.path("droppedEngineEvents").asLong());
        double error = about.path("clockErrorNanos").asLong() / 1e3;
        assertTrue(about.path("clockRoundTrips").asLong() >= 1, about::toString);
        // The mock runs in this process with the same clock, and the estimate must show this.
        assertTrue(Math.abs(about.path("clockOffsetNanos").asLong()) / 1e3 <= error + 0.001, about::toString);

        List<JsonNode> spans = new ArrayList<>();
        trace.path("traceEvents").forEach(event -> {
            if (event.path("ph").asText().equals("X")) {
                spans.add(event);
            }
        });
        assertNested(spans);
        List<JsonNode> segments = named(spans, ENGINE, "segment");
        assertTrue(segments.size() >= 2 * STEPS, () -> segments.size() + " segments, " + about);
        assertEquals(segments.size(), named(spans, CLIENT, "seal").size());
        assertEquals(2 * STEPS, named(spans, CLIENT, "look").size());
        assertKernelsLieWithinSegments(spans, segments);
        assertLooksEncloseWhatTheyWaitFor(named(spans, CLIENT, "look"), segments, error);
        assertFalse(named(spans, ENGINE, "plan").isEmpty());
        assertFalse(named(spans, WIRE, "frame").isEmpty());
        assertFalse(named(spans, WIRE, "round trip").isEmpty());
    }

    /** On each line, in the order of the file, times never decrease, and spans are nested or disjoint. */
    private static void assertNested(List<JsonNode> spans) {
        Map<String, Deque<JsonNode>> open = new HashMap<>();
        double last = Double.NEGATIVE_INFINITY;
        for (JsonNode span : spans) {
            assertTrue(start(span) >= last, span::toString);
            last = start(span);
            Deque<JsonNode> line =
                    open.computeIfAbsent(span.path("pid") + "/" + span.path("tid"), key -> new ArrayDeque<>());
            while (!line.isEmpty() && end(line.peek()) <= start(span) + 1e-6) {
                line.pop();
            }
            if (!line.isEmpty()) {
                JsonNode around = line.peek();
                assertTrue(end(span) <= end(around) + 1e-6, () -> span + " reaches beyond " + around);
            }
            line.push(span);
        }
    }

    private static void assertKernelsLieWithinSegments(List<JsonNode> spans, List<JsonNode> segments) {
        List<JsonNode> kernels = spans.stream()
                .filter(span -> span.path("pid").asInt() == ENGINE)
                .filter(span -> span.path("name").asText().contains("float32"))
                .toList();
        assertTrue(
                kernels.stream().anyMatch(kernel -> kernel.path("name").asText().equals("matmul float32[64,64]")));
        // A product, and one kernel for what follows it.
        assertTrue(kernels.size() >= 2 * 2 * STEPS, kernels.size() + " kernels");
        for (JsonNode kernel : kernels) {
            assertTrue(segments.stream().anyMatch(segment -> encloses(segment, kernel, 1e-6)), kernel::toString);
        }
    }

    /** A read records the number of sealed segments, and waits for the last of them. */
    private static void assertLooksEncloseWhatTheyWaitFor(List<JsonNode> looks, List<JsonNode> segments, double error) {
        Map<Long, JsonNode> byNumber = new HashMap<>();
        segments.forEach(
                segment -> byNumber.put(segment.path("args").path("segment").asLong(), segment));
        int enclosing = 0;
        for (JsonNode look : looks) {
            long last = look.path("args").path("segments").asLong();
            // The other thread may have sealed more in the meantime; the segment of this read is among the last few.
            for (long number = last; number > last - 3; number--) {
                JsonNode segment = byNumber.get(number);
                if (segment != null && encloses(look, segment, error)) {
                    enclosing++;
                    break;
                }
            }
        }
        assertEquals(looks.size(), enclosing);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedAtOnce() {
        MachineOptions options =
                new MachineOptions().profile(folder.resolve("missing").resolve("trace.json"));
        var refused = assertThrows(OutpostException.class, () -> RemoteMachine.of("mock", "A100", options));
        assertTrue(refused.getMessage().startsWith("profile: cannot write"), refused.getMessage());
    }

    private static List<JsonNode> named(List<JsonNode> spans, int process, String name) {
        return spans.stream()
                .filter(span -> span.path("pid").asInt() == process)
                .filter(span -> span.path("name").asText().equals(name))
                .toList();
    }

    private static boolean encloses(JsonNode outer, JsonNode inner, double error) {
        return start(outer) <= start(inner) + error && end(inner) <= end(outer) + error;
    }

    private static double start(JsonNode span) {
        return span.path("ts").asDouble();
    }

    private static double end(JsonNode span) {
        return start(span) + span.path("dur").asDouble();
    }
}

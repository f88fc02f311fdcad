package dev.outpost.system.backend.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.PublishedProgram;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.io.Npy;
import dev.outpost.io.Safetensors;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.GatewayProcess;
import dev.outpost.system.backend.host.SharedBackend;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests programs that a machine of a backend has published, called by HTTP at a gateway, with all processes as they are shipped. */
class PublishedProgramsTest {
    private static final String JSON = "application/json";
    private static final String NPY = "application/x-npy";
    private static final String SAFETENSORS = "application/vnd.safetensors";
    private static final float[] ROWS = {1, 2, 3, 4, -1, 0, 2, 5};

    @TempDir
    Path folder;

    /** Publishes a program, and returns its results for the two rows of {@link #ROWS}; the machine is gone afterwards. */
    private static HostTensor publish(BackendHost backend) {
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            Linear layer = new Linear(4, 3);
            layer.to(machine);
            Program score = machine.program(inputs -> List.of(Functional.softmax(layer.call(inputs.getFirst()), 1)));
            Tensor answers = score.call(machine.tensor(ROWS, 2, 4)).getFirst();
            // Nothing was read yet, so the machine may still be on its way.
            PublishedProgram published = machine.publish("score", score);
            assertTrue(published.isBatched());
            HostTensor expected = answers.toHost();
            Program total = machine.program(inputs -> List.of(inputs.getFirst().sum()));
            total.call(machine.ones(2, 2));
            assertEquals(0, machine.publish("total", total).maxRows());
            return expected;
        }
    }

    @Test
    void publishedProgramIsCalledAfterItsMachineIsGone() throws Exception {
        try (BackendHost backend = SharedBackend.tenant();
                GatewayProcess gateway = GatewayProcess.start(backend.access())) {
            HostTensor expected = publish(backend);
            JsonNode listed = backend.client().get("/v1/programs").path("items");
            assertEquals("score", listed.path(0).path("name").asText(), listed::toString);
            assertEquals("float32[1,4]", listed.path(0).path("inputs").path(0).asText());
            assertEquals(32, listed.path(0).path("mostRows").asInt());

            String key = backend.access().key();
            HttpResponse<byte[]> json =
                    gateway.call(key, "score", JSON, "{\"inputs\": [[[1, 2, 3, 4], [-1, 0, 2, 5]]]}".getBytes(UTF_8));
            assertEquals(200, json.statusCode(), () -> text(json) + gateway.errors());
            JsonNode outputs =
                    new ObjectMapper().readTree(json.body()).path("outputs").path(0);
            assertEquals(expected.getDouble(4), outputs.path(1).path(1).doubleValue(), 1e-6);

            HostTensor input = HostTensor.of(ROWS, 2, 4);
            ByteArrayOutputStream npy = new ByteArrayOutputStream();
            Npy.write(npy, input);
            HttpResponse<byte[]> array = gateway.call(key, "score", NPY, npy.toByteArray());
            assertEquals(200, array.statusCode(), () -> text(array));
            assertEquals(expected, Npy.read(new ByteArrayInputStream(array.body())));
            assertEquals(expected, bySafetensors(gateway, key, input));

            assertRefused(gateway, key, "score", "[[[1, 2, 3]]]", "float32[rows,4], got float32[1,3]");
            assertRefused(gateway, key, "score", "[[[1, 2, 3, 4], [1]]]", "one shape");
            assertRefused(gateway, key, "score", "[[[1, 2, 3, \"x\"]]]", "expected a number, got string");
            assertRefused(gateway, key, "score", "[[[1, 2, 3, 4]], [1]]", "takes 1, got 2");
            assertRefused(gateway, key, "total", "[[[1, 2]]]", "takes float32[2,2], got float32[1,2]");
            assertEquals(
                    401,
                    gateway.call(key + "x", "score", JSON, "{}".getBytes(UTF_8)).statusCode());
            String foreign = SharedBackend.foreignKey();
            assertEquals(
                    401,
                    gateway.call(foreign, "score", JSON, "{}".getBytes(UTF_8)).statusCode());

            assertCallsOfTwoClientsAreComputedTogether(gateway, key, expected);

            backend.client().delete("/v1/programs/score");
            Await.until(
                    gateway::errors,
                    () -> gateway.call(key, "score", JSON, "{\"inputs\": [[[1, 2, 3, 4]]]}".getBytes(UTF_8))
                                    .statusCode()
                            == 404);
            assertEquals(
                    List.of("total"),
                    backend.client().get("/v1/programs").path("items").findValuesAsText("name"));
        }
    }

    private HostTensor bySafetensors(GatewayProcess gateway, String key, HostTensor input) throws IOException {
        Path file = folder.resolve("call.safetensors");
        Safetensors.write(file, Map.of("input0", input));
        HttpResponse<byte[]> answer = gateway.call(key, "score", SAFETENSORS, Files.readAllBytes(file));
        assertEquals(200, answer.statusCode(), () -> text(answer));
        Files.write(file, answer.body());
        return Safetensors.read(file).get("output0");
    }

    private static void assertRefused(
            GatewayProcess gateway, String key, String program, String inputs, String sentence) {
        HttpResponse<byte[]> answer =
                gateway.call(key, program, JSON, ("{\"inputs\": " + inputs + "}").getBytes(UTF_8));
        assertEquals(400, answer.statusCode(), () -> text(answer));
        assertTrue(text(answer).contains(sentence), () -> text(answer));
    }

    /** Two clients with four concurrent calls each, until the gateway reports that calls of both were one batch. */
    private static void assertCallsOfTwoClientsAreComputedTogether(
            GatewayProcess gateway, String key, HostTensor expected) throws Exception {
        float[] wanted = expected.slice(0, 1).toFloatArray();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Await.until("two calls are computed together", () -> {
                List<Future<Long>> calls = IntStream.range(0, 8)
                        .mapToObj(call -> clients.submit(() -> callOneRow(gateway, key, wanted)))
                        .toList();
                long together = 0;
                for (Future<Long> call : calls) {
                    together = Math.max(together, call.get());
                }
                return together >= 2;
            });
        }
    }

    private static long callOneRow(GatewayProcess gateway, String key, float[] wanted) throws IOException {
        HttpResponse<byte[]> answer =
                gateway.call(key, "score", JSON, "{\"inputs\": [[[1, 2, 3, 4]]]}".getBytes(UTF_8));
        assertEquals(200, answer.statusCode(), () -> text(answer));
        JsonNode row = new ObjectMapper()
                .readTree(answer.body())
                .path("outputs")
                .path(0)
                .path(0);
        float[] values = {
            row.path(0).floatValue(), row.path(1).floatValue(), row.path(2).floatValue()
        };
        assertArrayEquals(wanted, values, 1e-6f);
        return answer.headers().firstValueAsLong("Outpost-Calls-Together").orElseThrow();
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), UTF_8);
    }
}

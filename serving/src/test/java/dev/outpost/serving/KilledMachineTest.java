package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The machine is killed under load: its requests fail with a message, and the server continues with another machine. */
@Tag("full")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledMachineTest {
    @Test
    void requestsAreToldAndLaterOnesAreAnsweredByAnotherMachine() throws Exception {
        String jar = System.getProperty("outpost.runtime.jar");
        Assumptions.assumeTrue(
                jar != null && Files.exists(Path.of(jar)), "there is no runtime to start; ./outpost test builds one");
        String model = TestModels.text();
        try (ServingProcess server = ServingProcess.start(
                        List.of("OUTPOST_PROCESS_JAR=" + jar, "OUTPOST_PROCESS_SOURCES=" + model),
                        "--model",
                        "text=" + model,
                        "--machine",
                        "process:any",
                        "--text-tokens",
                        "1024");
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Response>> underWay = IntStream.range(0, 8)
                    .mapToObj(client -> clients.submit(() -> ask(server, 900)))
                    .toList();
            awaitRunning(server);
            server.process().toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
            for (Future<Response> one : underWay) {
                assertEquals(503, one.get().statusCode(), () -> one.resultNow().asString());
                assertTrue(Integer.parseInt(one.get().header("Retry-After")) >= 1);
            }
            server.awaitReady();
            assertEquals(200, ask(server, 8).statusCode());
        }
    }

    private static Response ask(ServingProcess server, int tokens) {
        return given().baseUri(server.root())
                .contentType(ContentType.JSON)
                .body("{\"model\": \"text\", \"prompt\": \"x\", \"ignore_eos\": true, \"max_tokens\": " + tokens + "}")
                .post("/v1/completions");
    }

    private static void awaitRunning(ServingProcess server) {
        String metrics;
        do {
            metrics = given().baseUri(server.root()).get("/metrics").asString();
        } while (metrics.lines()
                .noneMatch(line -> line.startsWith("vllm:num_requests_running") && line.endsWith(" 8.0")));
    }
}

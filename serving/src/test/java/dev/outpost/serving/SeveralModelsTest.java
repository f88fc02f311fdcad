package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Sampling;
import dev.outpost.models.TextStream;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.models.lora.PeftFiles;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One machine serves models of two shapes, one of them under two names and with two adapters. */
class SeveralModelsTest {
    private static final String PROMPT = "The machine reads";
    private static final int TOKENS = 12;

    @TempDir
    private static Path folder;

    /** The answer of each model to a single request, by the model's name. */
    private static final Map<String, String> EXPECTED = new LinkedHashMap<>();

    private static ServingProcess server;

    @BeforeAll
    static void start() {
        String text = TestModels.text();
        String other = TestModels.other();
        EXPECTED.put("text", "stststyststststststyst");
        EXPECTED.put("again", "stststyststststststyst");
        EXPECTED.put("other", alone(other));
        EXPECTED.put("text:loud", adapted(text, "loud", 0.5f));
        EXPECTED.put("text:quiet", adapted(text, "quiet", -0.5f));
        server = ServingProcess.start(
                "--model",
                "text=" + text,
                "--model",
                "again=" + text,
                "--model",
                "other=" + other,
                "--adapter",
                "text:loud=file:" + folder.resolve("loud"),
                "--adapter",
                "text:quiet=file:" + folder.resolve("quiet"),
                "--cache-memory",
                "8M",
                "--text-tokens",
                "256");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RemoteMachine machine(String model) {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", model + ",file:" + folder));
    }

    private static String alone(String uri) {
        try (RemoteMachine machine = machine(uri);
                CausalLM llm = CausalLM.load(machine, uri)) {
            return said(llm);
        }
    }

    private static String said(CausalLM llm) {
        try (TextStream text = llm.generate(PROMPT, Sampling.greedy().maxTokens(TOKENS))) {
            return text.toEnd();
        }
    }

    /** Writes an adapter, and returns the text that the model generates with it. */
    private static String adapted(String model, String name, float value) {
        try (RemoteMachine machine = machine(model);
                CausalLM llm = CausalLM.load(machine, model)) {
            machine.manualSeed(5);
            LoraAdapter adapter =
                    LoraAdapter.on(llm.module(), LoraConfig.rank(2).targets("q_proj", "down_proj"));
            GradMode.noGrad(
                    () -> adapter.layers().values().forEach(layer -> layer.up().fill_(value)));
            PeftFiles.save(adapter, "file:" + folder.resolve(name), "text").join();
            return said(llm);
        }
    }

    private static Response ask(String model) {
        return given().baseUri(server.root())
                .contentType(ContentType.JSON)
                .body(Map.of("model", model, "prompt", PROMPT, "temperature", 0, "max_tokens", TOKENS))
                .post("/v1/completions");
    }

    @Test
    void requestsOfAllAtOnceAreAnsweredAsByEachAlone() throws Exception {
        assertEquals(4, new HashSet<>(EXPECTED.values()).size(), () -> "they differ too little: " + EXPECTED);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<Future<Response>, String> asked = new LinkedHashMap<>();
            for (int round = 0; round < 3; round++) {
                EXPECTED.keySet().forEach(name -> asked.put(clients.submit(() -> ask(name)), name));
            }
            for (Map.Entry<Future<Response>, String> one : asked.entrySet()) {
                Response answer = one.getKey().get();
                assertEquals(200, answer.statusCode(), answer::asString);
                assertEquals(EXPECTED.get(one.getValue()), answer.path("choices[0].text"), one.getValue());
                assertEquals(one.getValue(), answer.path("model"));
            }
        }
    }

    @Test
    void modelsAreListedAndAnUnknownOneIsRefusedInTheFormOfOpenAi() {
        List<String> names = given().baseUri(server.root()).get("/v1/models").path("data.id");
        assertEquals(
                List.of("again", "other", "text", "text:loud", "text:quiet"),
                new ArrayList<>(names).stream().sorted().toList());
        assertEquals(404, ask("text:nobody").statusCode());
        ask("nobody")
                .then()
                .statusCode(404)
                .body("error.type", equalTo("invalid_request_error"))
                .body("error.code", equalTo("model_not_found"));
        given().baseUri(server.root()).get("/v1/models/nobody").then().statusCode(404);
    }

    @Test
    void metricsAreOfEachModelAndItsAdaptersTogether() {
        double textBefore = generated("text");
        double otherBefore = generated("other");
        ask("other").then().statusCode(200);
        assertEquals(textBefore, generated("text"));
        assertTrue(generated("other") > otherBefore);
        ask("text:loud").then().statusCode(200);
        assertTrue(generated("text") > textBefore);
    }

    private static double generated(String model) {
        return given().baseUri(server.root())
                .get("/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith("vllm:generation_tokens_total{")
                        && line.contains("model_name=\"" + model + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }
}

package dev.outpost.serving;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several adapters of one model, and a model under two names, are served by one machine. */
class AdaptersTest {
    private static final String PROMPT = "The machine reads";

    @TempDir
    private static Path folder;

    /** Writes an adapter, and says what the model generates with it. */
    private static String make(String model, String name, float value) {
        try (RemoteMachine machine = RemoteMachine.of(
                        "mock", "any", new MachineOptions().option("sources", model + ",file:" + folder));
                CausalLM llm = CausalLM.load(machine, model)) {
            machine.manualSeed(5);
            LoraAdapter adapter =
                    LoraAdapter.on(llm.module(), LoraConfig.rank(2).targets("q_proj", "down_proj"));
            GradMode.noGrad(
                    () -> adapter.layers().values().forEach(layer -> layer.up().fill_(value)));
            PeftFiles.save(adapter, "file:" + folder.resolve(name), "text").join();
            try (TextStream text = llm.generate(PROMPT, Sampling.greedy().maxTokens(12))) {
                return text.toEnd();
            }
        }
    }

    @Test
    void requestsOfSeveralAdaptersAtOnceAreThoseOfEachAlone() throws Exception {
        String model = TestModels.text();
        String loud = make(model, "loud", 0.5f);
        String quiet = make(model, "quiet", -0.5f);
        assertNotEquals(loud, quiet, "the adapters change nothing");
        Map<String, String> expected = Map.of(
                "text",
                "stststyststststststyst",
                "again",
                "stststyststststststyst",
                "text:loud",
                loud,
                "text:quiet",
                quiet);
        try (ServingProcess server = ServingProcess.start(
                        "--model",
                        "text=" + model,
                        "--model",
                        "again=" + model,
                        "--adapter",
                        "text:loud=file:" + folder.resolve("loud"),
                        "--adapter",
                        "text:quiet=file:" + folder.resolve("quiet"));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 3; round++) {
                Map<String, Future<Response>> asked = new LinkedHashMap<>();
                expected.keySet().forEach(name -> asked.put(name, clients.submit(() -> ask(server, name))));
                for (Map.Entry<String, Future<Response>> one : asked.entrySet()) {
                    Response answer = one.getValue().get();
                    assertEquals(200, answer.statusCode(), answer::asString);
                    assertEquals(expected.get(one.getKey()), answer.path("choices[0].text"), one.getKey());
                    assertEquals(one.getKey(), answer.path("model"));
                }
            }
            List<String> names =
                    given().baseUri(server.root()).get("/v1/models").path("data.id");
            assertEquals(
                    List.of("again", "text", "text:loud", "text:quiet"),
                    new ArrayList<>(names).stream().sorted().toList());
            assertEquals(404, ask(server, "text:nobody").statusCode());
        }
    }

    private static Response ask(ServingProcess server, String model) {
        return given().baseUri(server.root())
                .contentType(ContentType.JSON)
                .body(Map.of("model", model, "prompt", PROMPT, "temperature", 0, "max_tokens", 12))
                .post("/v1/completions");
    }
}

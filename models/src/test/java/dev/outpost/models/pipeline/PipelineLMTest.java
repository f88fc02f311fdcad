package dev.outpost.models.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.ChatMessage;
import dev.outpost.models.Fixtures;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoders cut over machines generate the tokens that they generate on one. */
class PipelineLMTest {
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();

    private final MockProvider mock = new MockProvider();
    private final List<RemoteMachine> machines = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int machine = 0; machine < 3; machine++) {
            machines.add(RemoteMachine.of(
                            mock,
                            "any",
                            new MachineOptions()
                                    .option("sources", "file:" + Fixtures.folder())
                                    .lossTimeout(Duration.ofMillis(300)))
                    .awaitReady());
        }
    }

    @AfterEach
    void stop() {
        for (RemoteMachine machine : machines) {
            try {
                machine.close();
            } catch (OutpostException ignored) {
                // The test has lost it.
            }
        }
    }

    private List<StageMachine> stages(int count) {
        List<StageMachine> stages = new ArrayList<>();
        for (int machine = 0; machine < count; machine++) {
            stages.add(StageMachine.of(machines.get(machine), "worker" + machine));
        }
        return stages;
    }

    private PipelineLM load(String name, int count) {
        return PipelineLM.load(
                stages(count),
                Fixtures.uri(name),
                new DecoderPipelineOptions().stages(count).textTokens(256));
    }

    private static int layers(String name) {
        ModelConfig config =
                ModelConfig.parse(name, Fixtures.json(name + "/config.json").toString());
        return Architectures.decoder(config).cacheShapes().size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma3", "phi3_longrope", "gpt2", "gpt_neox", "mixtral", "gptq"})
    void tokensAreThoseOfOneMachine(String name) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        int[] shorter = Arrays.copyOf(prompt, 3);
        List<int[]> whole = whole(name, List.of(shorter, prompt), GREEDY);
        for (int count = 1; count <= Math.min(3, layers(name)); count++) {
            try (PipelineLM model = load(name, count)) {
                assertEquals(count, model.plan().size(), () -> model.plan().toString());
                List<int[]> texts =
                        model.generate(List.of(shorter, prompt), GREEDY).toEnd();
                assertArrayEquals(whole.get(0), texts.get(0), name + " on " + count);
                assertArrayEquals(whole.get(1), texts.get(1), name + " on " + count);
            }
        }
    }

    private List<int[]> whole(String name, List<int[]> prompts, Sampling sampling) {
        try (CausalLM model = CausalLM.load(machines.getFirst(), Fixtures.uri(name))) {
            return model.generate(prompts, sampling).toEnd();
        }
    }

    @Test
    void aConversationIsThatOfOneMachine() {
        List<ChatMessage> messages = List.of(ChatMessage.user("the man"));
        String whole;
        try (CausalLM model = CausalLM.load(machines.getFirst(), Fixtures.uri("text"))) {
            whole = model.chat(messages, GREEDY).toEnd();
        }
        try (PipelineLM model = load("text", 2)) {
            assertTrue(model.hasChatTemplate());
            assertEquals(whole, model.chat(messages, GREEDY).toEnd());
        }
        try (PipelineLM model = load("llama", 2)) {
            assertFalse(model.hasChatTemplate());
            OutpostException refused = assertThrows(OutpostException.class, model::chatTemplate);
            assertTrue(refused.getMessage().contains("comes without a chat template"), refused::getMessage);
        }
    }

    /** Its tokens are of use without texts. */
    @Test
    void aModelWithABrokenTemplateGeneratesTokens(@TempDir Path folder) throws IOException {
        try (Stream<Path> files = Files.list(Fixtures.folder().resolve("llama"))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        Files.writeString(folder.resolve("tokenizer_config.json"), "{");
        int[] prompt = Fixtures.ids(Fixtures.expected("llama").get("prompt"));
        MachineOptions options = new MachineOptions().option("sources", "file:" + folder);
        try (RemoteMachine machine = RemoteMachine.of(mock, "any", options);
                PipelineLM model = PipelineLM.load(
                        List.of(StageMachine.of(machine, "worker")),
                        "file:" + folder,
                        new DecoderPipelineOptions().stages(1).textTokens(256))) {
            assertFalse(model.hasChatTemplate());
            assertThrows(OutpostException.class, model::chatTemplate);
            assertArrayEquals(
                    whole("llama", List.of(prompt), GREEDY).getFirst(),
                    model.generate(List.of(prompt), GREEDY).toEnd().getFirst());
        }
    }

    @Test
    void drawnTokensAndPenaltiesAreThoseOfOneMachine() {
        int[] prompt = Fixtures.ids(Fixtures.expected("llama").get("prompt"));
        Sampling drawn = Sampling.temperature(0.8)
                .topP(0.9)
                .repetitionPenalty(1.3)
                .seed(7)
                .maxTokens(20)
                .ignoreEnd();
        List<int[]> whole = whole("llama", List.of(prompt), drawn);
        try (PipelineLM model = load("llama", 2)) {
            assertArrayEquals(
                    whole.getFirst(),
                    model.generate(List.of(prompt), drawn).toEnd().getFirst());
        }
    }

    @Test
    void aTextGoesOnWhereAMachineIsLost() {
        int[] prompt = Fixtures.ids(Fixtures.expected("llama").get("prompt"));
        Sampling longer = GREEDY.maxTokens(40);
        int[] whole = whole("llama", List.of(prompt), longer).getFirst();
        try (PipelineLM model = PipelineLM.load(
                        stages(3), Fixtures.uri("llama"), new DecoderPipelineOptions().textTokens(256));
                Generation generation = model.generate(List.of(prompt), longer)) {
            String first = model.plan().getFirst();
            int[] got = new int[40];
            for (int token = 0; token < 40; token++) {
                if (token == 10) {
                    mock.machines()
                            .get(Integer.parseInt(first.substring("worker".length(), first.indexOf(':'))))
                            .killRuntime();
                }
                got[token] = generation.next()[0];
            }
            assertArrayEquals(whole, got);
            assertTrue(
                    !model.plan().getFirst().equals(first), () -> model.plan().toString());
        }
    }

    @Test
    void textsOfSeveralThreadsGoOnBesideEachOther() {
        JsonNode expected = Fixtures.expected("llama");
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        int[] whole = whole("llama", List.of(prompt), GREEDY).getFirst();
        try (PipelineLM model = load("llama", 2)) {
            List<Thread> threads = new ArrayList<>();
            List<int[]> texts = Collections.synchronizedList(new ArrayList<>());
            for (int text = 0; text < 4; text++) {
                threads.add(Thread.ofVirtual()
                        .start(() -> texts.addAll(
                                model.generate(List.of(prompt), GREEDY).toEnd())));
            }
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }
            assertEquals(4, texts.size());
            texts.forEach(text -> assertArrayEquals(whole, text));
        }
    }

    @Test
    void whereNoMachineIsLeftASentenceSaysWhichWereLost() {
        int[] prompt = Fixtures.ids(Fixtures.expected("llama").get("prompt"));
        try (PipelineLM model = load("llama", 2)) {
            mock.machines().forEach(machine -> machine.killRuntime());
            OutpostException lost = assertThrows(
                    OutpostException.class,
                    () -> model.generate(List.of(prompt), GREEDY).toEnd());
            assertTrue(lost.getMessage().contains("lan: lost worker"), lost.getMessage());
        }
    }

    @Test
    void tooLittleMemoryIsRefusedWithTheNumbers() {
        List<StageMachine> small = List.of(new StageMachine(
                "small", machines.getFirst(), Optional.empty(), 1000, () -> false, Optional::empty, () -> {}));
        OutpostException refused = assertThrows(
                OutpostException.class,
                () -> PipelineLM.load(small, Fixtures.uri("llama"), new DecoderPipelineOptions()));
        assertEquals(FaultKind.RESOURCES, refused.kind());
        assertTrue(refused.getMessage().contains("small has 0.00 GiB"), refused.getMessage());
    }
}

package dev.outpost.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.autograd.GradMode;
import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Sampling;
import dev.outpost.models.lora.AdapterSet;
import dev.outpost.models.lora.LoraAdapter;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.models.lora.PeftFiles;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of several adapters that are generated in one batch are those that each adapter generates alone. */
class AdapterSetTest {
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();
    /** Longer than a block, so that its beginning could be shared. */
    private static final int[] PROMPT = {1, 17, 33, 5, 9, 2, 44, 8, 21, 7, 3, 30, 12, 6, 18, 4, 25, 40, 11};

    @TempDir
    private Path folder;

    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of(
                "mock",
                "any",
                new MachineOptions().option("sources", "file:" + BatchFixture.folder() + ",file:" + folder));
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    private CausalLM model(String name) {
        return CausalLM.load(machine, "file:" + BatchFixture.folder().resolve(name));
    }

    /** An adapter of other layers and another rank than the fixture's. */
    private String other(String base, float value) {
        String place = "file:" + folder.resolve(base + value);
        try (CausalLM model = model(base)) {
            machine.manualSeed(3);
            LoraAdapter adapter =
                    LoraAdapter.on(model.module(), LoraConfig.rank(3).alpha(6));
            GradMode.noGrad(
                    () -> adapter.layers().values().forEach(layer -> layer.up().fill_(value)));
            PeftFiles.save(adapter, place, base).join();
        }
        return place;
    }

    private int[] alone(String base, String adapter) throws Exception {
        try (CausalLM model = model(base)) {
            if (adapter != null) {
                PeftFiles.load(model, adapter);
            }
            try (ModelRunner runner = new ModelRunner(model, 256, 4, 64);
                    BatchEngine engine = new BatchEngine(runner, BatchSettings.standard(), BatchListener.NONE)) {
                return new Text(engine, 0).tokens();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gpt2"})
    void textsOfSeveralAdaptersInOneBatchAreThoseOfEachAlone(String base) throws Exception {
        List<String> adapters =
                List.of("file:" + BatchFixture.folder().resolve("peft_" + base), other(base, 0.2f), other(base, -0.3f));
        List<int[]> expected = new ArrayList<>(List.of(alone(base, null)));
        for (String adapter : adapters) {
            expected.add(alone(base, adapter));
        }
        assertEquals(
                4, expected.stream().map(java.util.Arrays::toString).distinct().count(), "adapters change nothing");
        try (CausalLM model = model(base)) {
            AdapterSet set =
                    AdapterSet.load(model, adapters.stream().map(machine::open).toList());
            try (ModelRunner runner = new ModelRunner(model, 256, 4, 64, set);
                    BatchEngine engine = new BatchEngine(runner, BatchSettings.standard(), BatchListener.NONE)) {
                List<Text> texts = new ArrayList<>();
                for (int number = 0; number < 12; number++) {
                    texts.add(new Text(engine, number % 4));
                }
                for (int number = 0; number < 12; number++) {
                    assertArrayEquals(
                            expected.get(number % 4), texts.get(number).tokens(), "text " + number);
                }
                assertTrue(engine.statistics().cachedTokens() > 0, "no beginning was shared");
                assertThrows(IllegalArgumentException.class, () -> new Text(engine, 4));
            }
        }
    }

    @Test
    void anAdapterWithInfinityIsRefusedSinceItWouldReachOtherTexts() {
        String place = other("llama", Float.POSITIVE_INFINITY);
        try (CausalLM model = model("llama")) {
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> AdapterSet.load(model, List.of(machine.open(place))));
            assertTrue(refused.getMessage().contains("not finite"), refused.getMessage());
        }
    }

    @Test
    void aModelWhoseSetWasClosedComputesAsBefore() throws Exception {
        int[] expected = alone("llama", null);
        try (CausalLM model = model("llama")) {
            AdapterSet set = AdapterSet.load(
                    model, List.of(machine.open("file:" + BatchFixture.folder().resolve("peft_llama"))));
            set.close();
            try (ModelRunner runner = new ModelRunner(model, 256, 4, 64);
                    BatchEngine engine = new BatchEngine(runner, BatchSettings.standard(), BatchListener.NONE)) {
                assertArrayEquals(expected, new Text(engine, 0).tokens());
                assertFalse(engine.statistics().newTokens() == 0);
            }
        }
    }

    /** A text under way. */
    private static final class Text implements TokenSink {
        private final List<Integer> tokens = new ArrayList<>();
        private final CompletableFuture<int[]> whole = new CompletableFuture<>();

        Text(BatchEngine engine, int adapter) {
            engine.submit(BatchRequest.of(PROMPT, GREEDY, this).withAdapter(adapter));
        }

        int[] tokens() throws Exception {
            return whole.get();
        }

        @Override
        public boolean accept(int token, TokenLogprobs logprobs) {
            tokens.add(token);
            return true;
        }

        @Override
        public void finished(Finish finish) {
            whole.complete(tokens.stream().mapToInt(Integer::intValue).toArray());
        }

        @Override
        public void failed(RuntimeException failure) {
            whole.completeExceptionally(failure);
        }
    }
}

package dev.outpost.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Texts share a pool of blocks. */
class BlocksTest {
    private static final JsonNode EXPECTED = BatchFixture.expected("llama");
    private static final int[] PROMPT = BatchFixture.ids(EXPECTED.get("prompt"));
    private static final int[] SHORTER = BatchFixture.ids(EXPECTED.get("short_prompt"));
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();

    @Test
    void textsAtATimeDoNotDisturbEachOther() {
        try (RemoteMachine machine = BatchFixture.machine();
                CausalLM model = CausalLM.load(machine, BatchFixture.uri("llama"));
                Generation one = model.generate(PROMPT, GREEDY);
                Generation other = model.generate(SHORTER, GREEDY)) {
            int[] first = new int[12];
            int[] second = new int[12];
            for (int token = 0; token < 12; token++) {
                first[token] = one.next()[0];
                second[token] = other.next()[0];
            }
            assertArrayEquals(BatchFixture.ids(EXPECTED.get("greedy")), first);
            assertArrayEquals(BatchFixture.ids(EXPECTED.get("short_greedy")), second);
        }
    }

    @Test
    void blocksComeBackAndAreUsedAgain() {
        try (RemoteMachine machine = BatchFixture.machine();
                CausalLM model = CausalLM.load(machine.open(BatchFixture.uri("llama")), null, 48)) {
            for (int round = 0; round < 3; round++) {
                assertEquals(48, model.freeTokens());
                try (Generation left = model.generate(SHORTER, GREEDY)) {
                    left.next();
                    assertEquals(32, model.freeTokens());
                    int[] tokens = model.generate(PROMPT, GREEDY).toEnd().getFirst();
                    assertArrayEquals(BatchFixture.ids(EXPECTED.get("greedy")), tokens);
                    String message = assertThrows(
                                    OutpostException.class, () -> model.generate(List.of(PROMPT, PROMPT), GREEDY))
                            .getMessage();
                    assertEquals(
                            "generate: 2 blocks of 16 tokens are needed, and 0 of 3 are free; end other texts, ask for"
                                    + " fewer tokens, or load the model with room for more",
                            message);
                    assertEquals(32, model.freeTokens());
                }
            }
        }
    }

    /** Eight texts of a batch that begin alike and go on differently; each may need one block besides, and no pool is copied. */
    @Test
    void textsOfABatchTakeThePoolAndABlockEach() throws Exception {
        long pool = 4L << 20;
        long blocksOfTexts = 8L * 2 * 2 * 2 * PagedKvCache.BLOCK_SIZE * 4 * Float.BYTES;
        long others = 1L << 18;
        MachineOptions options = new MachineOptions()
                .option("sources", "file:" + BatchFixture.folder())
                .option("quota", String.valueOf(pool + blocksOfTexts + others));
        try (RemoteMachine machine = RemoteMachine.of("mock", "any", options);
                CausalLM model = CausalLM.load(machine.open(BatchFixture.uri("llama")), null, PagedKvCache.BLOCK_SIZE);
                ModelRunner runner = new ModelRunner(model, (1 << 15) - PagedKvCache.BLOCK_SIZE, 8, 64);
                BatchEngine engine = new BatchEngine(runner, new BatchSettings(64, 64, 3), BatchListener.NONE)) {
            List<CompletableFuture<Finish>> ends = new ArrayList<>();
            for (int text = 0; text < 8; text++) {
                CompletableFuture<Finish> end = new CompletableFuture<>();
                ends.add(end);
                Sampling drawn =
                        Sampling.temperature(2).seed(text).maxTokens(30).ignoreEnd();
                engine.submit(BatchRequest.of(PROMPT, drawn, new TokenSink() {
                    @Override
                    public boolean accept(int token, StepResult.TokenLogprobs logprobs) {
                        return true;
                    }

                    @Override
                    public void finished(Finish finish) {
                        end.complete(finish);
                    }

                    @Override
                    public void failed(RuntimeException failure) {
                        end.completeExceptionally(failure);
                    }
                }));
            }
            for (CompletableFuture<Finish> end : ends) {
                assertEquals(30, Await.result("the text ends", end).newTokens());
            }
        }
    }

    /** Keys of a layer take 1 MiB here and so do values, of two layers: were one of them copied, it would not fit. */
    @Test
    void theMemoryThatIsTakenIsThePool() {
        long pool = 4L << 20;
        MachineOptions options = new MachineOptions()
                .option("sources", "file:" + BatchFixture.folder())
                .option("quota", String.valueOf(pool + (3L << 18)));
        try (RemoteMachine machine = RemoteMachine.of("mock", "any", options);
                CausalLM model = CausalLM.load(
                        machine.open(BatchFixture.uri("llama")), null, (1 << 15) - PagedKvCache.BLOCK_SIZE)) {
            int[] tokens = model.generate(PROMPT, GREEDY).toEnd().getFirst();
            assertArrayEquals(BatchFixture.ids(EXPECTED.get("greedy")), tokens, () -> Arrays.toString(tokens));
        }
    }
}

package dev.outpost.gpucheck.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps that measure a GPU compute the results of a language model. */
class LlamaWorkTest {
    private static final float TOLERANCE = 1e-5f;

    /** Tokens that are computed one by one with the cache of earlier ones have the same scores as all tokens at once. */
    @Test
    void decodingContinuesAPrompt() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any")) {
            LlamaWork model = new LlamaWork(LlamaShape.TINY, machine, DType.FLOAT32);
            long[] ids = {3, 17, 5, 40, 9};
            float[] atOnce = scores(model, machine, ids, new long[] {0, 1, 2, 3, 4});
            scores(model, machine, new long[] {3, 17, 5, 40}, new long[] {0, 1, 2, 3});
            assertArrayEquals(atOnce, scores(model, machine, new long[] {9}, new long[] {4}), TOLERANCE);
        }
    }

    /** Rows of several texts, including parts of prompts, have the same scores as each text alone. */
    @Test
    void textsOfAServersStepAreComputedApart() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any")) {
            long[] ids = {3, 17, 5, 40, 9};
            long[] others = {8, 1, 61, 30};
            machine.manualSeed(1);
            LlamaWork alone = new LlamaWork(LlamaShape.TINY, machine, DType.FLOAT32);
            float[] first = scores(alone, machine, ids, new long[] {0, 1, 2, 3, 4});
            float[] second = scores(alone, machine, others, new long[] {0, 1, 2, 3});
            machine.manualSeed(1);
            LlamaWork model = new LlamaWork(LlamaShape.TINY, machine, DType.FLOAT32, 2);
            rows(model, machine, new long[] {3, 17, 5, 40}, new long[] {0, 1, 2, 3}, new long[4], new long[] {3});
            float[] together = rows(
                    model,
                    machine,
                    new long[] {9, 8, 1, 61, 30},
                    new long[] {4, 0, 1, 2, 3},
                    new long[] {0, 1, 1, 1, 1},
                    new long[] {0, 4});
            int vocabulary = LlamaShape.TINY.vocabulary();
            assertArrayEquals(first, Arrays.copyOf(together, vocabulary), TOLERANCE);
            assertArrayEquals(second, Arrays.copyOfRange(together, vocabulary, 2 * vocabulary), TOLERANCE);
        }
    }

    private static float[] rows(
            LlamaWork model, RemoteMachine machine, long[] ids, long[] positions, long[] texts, long[] chosen) {
        try (Tensor scores = model.logits(
                machine.tensor(ids, ids.length),
                machine.tensor(positions, ids.length, 1),
                machine.tensor(texts, ids.length),
                machine.tensor(chosen, chosen.length))) {
            return scores.toFloatArray();
        }
    }

    /** Positions are within the contexts and all different, and there are as many tokens of prompts as new ones. */
    @Test
    void aServersStepHasATokenOfEachTextAndPartOfAPrompt() {
        ServingStep step = ServingStep.of(LlamaShape.TINY, 4);
        assertArrayEquals(new long[] {16, 20, 24, 28, 12, 13, 14, 15}, step.positions());
        assertArrayEquals(new long[] {0, 1, 2, 3, 4, 4, 4, 4}, step.texts());
    }

    private static float[] scores(LlamaWork model, RemoteMachine machine, long[] ids, long[] positions) {
        try (Tensor scores =
                model.logits(machine.tensor(ids, ids.length), machine.tensor(positions, 1, positions.length))) {
            return scores.toFloatArray();
        }
    }

    @Test
    void stepsRunAsProgramsAgainAndAgain() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                GpuWorkload decode = LlamaWork.decode(LlamaShape.TINY, machine);
                GpuWorkload prefill = LlamaWork.prefill(LlamaShape.TINY, machine);
                GpuWorkload serve = LlamaWork.serve(LlamaShape.TINY, machine, 16)) {
            for (GpuWorkload gpuWorkload : List.of(decode, prefill, serve)) {
                gpuWorkload.step();
                gpuWorkload.step();
            }
            machine.synchronize();
        }
    }

    /** The numbers of parameters of the models with these names, without norms. */
    @Test
    void shapesHaveTheParametersOfTheirNames() {
        assertEquals(134_479_872, LlamaShape.M135.weights());
        assertEquals(1_235_746_816, LlamaShape.B1.weights());
        // Llama 3.1 8B has a separate head besides the table of embeddings.
        assertEquals(8_029_995_008L - 128256L * 4096, LlamaShape.B8.weights());
    }
}

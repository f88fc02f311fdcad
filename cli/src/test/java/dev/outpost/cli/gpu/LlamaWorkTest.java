package dev.outpost.cli.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps by which a GPU is measured compute what a language model computes. */
class LlamaWorkTest {
    private static final float TOLERANCE = 1e-5f;

    /** Tokens one by one over what earlier ones have left have the scores of all of them at once. */
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

    private static float[] scores(LlamaWork model, RemoteMachine machine, long[] ids, long[] positions) {
        try (Tensor scores =
                model.logits(machine.tensor(ids, ids.length), machine.tensor(positions, 1, positions.length))) {
            return scores.toFloatArray();
        }
    }

    @Test
    void stepsRunAsProgramsAgainAndAgain() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                Work decode = LlamaWork.decode(LlamaShape.TINY, machine);
                Work prefill = LlamaWork.prefill(LlamaShape.TINY, machine)) {
            for (Work work : List.of(decode, prefill)) {
                work.step();
                work.step();
            }
            machine.synchronize();
        }
    }

    /** As the models of these names count them, without norms. */
    @Test
    void shapesHaveTheParametersOfTheirNames() {
        assertEquals(134_479_872, LlamaShape.M135.weights());
        assertEquals(1_235_746_816, LlamaShape.B1.weights());
        // Llama 3.1 8B has a head of its own besides the table of embeddings.
        assertEquals(8_029_995_008L - 128256L * 4096, LlamaShape.B8.weights());
    }
}

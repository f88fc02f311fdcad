package dev.outpost.runtime.engine.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A chain's loop comes when it is compiled, and not before enough was computed for that to be worth it. */
class ChainTrainerTest {
    private static final Chain LINE = new Chain(
            1,
            1,
            List.of(
                    new Chain.Operation(VectorStep.MUL, List.of(0, 1)),
                    new Chain.Operation(VectorStep.ADD, List.of(2, 1))),
            List.of(3));

    @Test
    void aTrainedLoopComputesTheChain() throws Exception {
        CompletableFuture<ChainLoop> trained = new CompletableFuture<>();
        new ChainTrainer().train(LINE, trained::complete);
        ChainLoop loop = trained.get(30, TimeUnit.SECONDS);
        float[] x = {1, 2, 3, 4, 5};
        float[] r = new float[6];
        loop.run(new float[][] {x, r}, new int[] {1, 2}, new float[] {10}, 3);
        assertArrayEquals(new float[] {0, 0, 30, 40, 50, 0}, r);
    }

    @Test
    void whatIsHardlyUsedIsNotTrained() {
        ChainCode code = Chains.compiled(1).code(LINE);
        code.missed(1000);
        assertNull(code.loop());
    }

    @Test
    void whatIsToBeThereAtOnceIs() {
        assertNotNull(Chains.atOnce(1).code(LINE).loop());
    }
}

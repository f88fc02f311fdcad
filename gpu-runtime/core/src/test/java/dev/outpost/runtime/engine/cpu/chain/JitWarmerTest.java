package dev.outpost.runtime.engine.cpu.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.VectorStep;
import dev.outpost.support.tests.Await;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A chain's loop is used once it is compiled, and it is compiled only after enough was computed to justify the cost. */
class JitWarmerTest {
    private static final int LOOKS = 50;
    private static final Chain LINE = new Chain(
            1,
            1,
            List.of(
                    new Chain.Operation(VectorStep.MUL, List.of(0, 1)),
                    new Chain.Operation(VectorStep.ADD, List.of(2, 1))),
            List.of(3),
            List.of());

    /** The functions whose second operand is an exponential of a number of at most 0. */
    private static final Set<VectorStep> POWERS = EnumSet.of(VectorStep.SIGMOID, VectorStep.ERF);

    @Test
    void aTrainedLoopComputesTheChain() throws Exception {
        CompletableFuture<ChainLoop> trained = new CompletableFuture<>();
        new JitWarmer().train(LINE, trained::complete);
        ChainLoop loop = Await.result("the loop is trained", trained);
        float[] x = {1, 2, 3, 4, 5};
        float[] r = new float[6];
        loop.run(new float[][] {x, r}, new int[] {1, 2}, new float[] {10}, 3);
        assertArrayEquals(new float[] {0, 0, 30, 40, 50, 0}, r);
    }

    /** A step and the shared loop that it must beat compute the same bits. */
    @Test
    void eachStepIsTheOneOfItsSharedLoop() {
        for (VectorStep step : VectorStep.values()) {
            List<Integer> sources = IntStream.range(0, step.operands()).boxed().toList();
            Chain chain = new Chain(
                    step.operands(),
                    0,
                    List.of(new Chain.Operation(step, sources)),
                    List.of(step.operands()),
                    List.of());
            float[] together = run(chain, JitWarmer.define(chain));
            float[] apart = run(chain, new UnfusedChain(chain, 1000));
            for (int index = 0; index < together.length; index++) {
                int place = index;
                assertEquals(
                        Float.floatToIntBits(apart[index]),
                        Float.floatToIntBits(together[index]),
                        () -> step + " at " + place);
            }
        }
    }

    private static float[] run(Chain chain, ChainLoop loop) {
        Random random = new Random(7);
        float[][] arrays = new float[chain.arrays()][1000];
        for (float[] array : arrays) {
            for (int index = 0; index < array.length; index++) {
                boolean isPower = array != arrays[0]
                        && POWERS.contains(chain.operations().getFirst().step());
                float any = index % 4 == 0 ? random.nextInt(2) : (float) (4 * random.nextGaussian());
                array[index] = isPower ? random.nextFloat() : any;
            }
        }
        int[] offsets = new int[arrays.length];
        Arrays.setAll(offsets, array -> 3 + array);
        loop.run(arrays, offsets, new float[0], 900 + chain.loads());
        return arrays[chain.loads()];
    }

    /** Folds in the loop have the bits of a row that is folded separately; {@code n (x + n)}, and plain x. */
    @Test
    void foldsAreThoseOfWholeRows() {
        for (Reduce.Fn fn : List.of(Reduce.Fn.SUM, Reduce.Fn.MAX, Reduce.Fn.MIN)) {
            RowReduction fold = RowReduction.of(fn);
            Chain chain = new Chain(
                    1,
                    1,
                    List.of(
                            new Chain.Operation(VectorStep.ADD, List.of(0, 1)),
                            new Chain.Operation(VectorStep.MUL, List.of(2, 1))),
                    List.of(2),
                    List.of(new Chain.Fold(fold, 3), new Chain.Fold(fold, 0)));
            for (int count : new int[] {64, 128, 1024}) {
                for (float special : new float[] {0, -0f, Float.NaN, Float.NEGATIVE_INFINITY}) {
                    float[] together = folded(chain, JitWarmer.define(chain), count, special);
                    float[] apart = folded(chain, new UnfusedChain(chain, 1024), count, special);
                    assertArrayEquals(apart, together, fn + " of " + count + " with " + special);
                }
            }
        }
    }

    private static float[] folded(Chain chain, ChainLoop loop, int count, float special) {
        Random random = new Random(count);
        float[] x = new float[count + 5];
        for (int index = 0; index < x.length; index++) {
            x[index] = special == 0 ? special : (float) random.nextGaussian();
        }
        x[count / 2] = special;
        float[] numbers = new float[chain.room()];
        numbers[0] = special == 0 ? special : 1.5f;
        loop.run(new float[][] {x, new float[x.length]}, new int[] {3, 2}, numbers, count);
        return Arrays.copyOfRange(numbers, 1, 3);
    }

    /**
     * Code that takes a nanosecond or more per element does not keep its vectors in registers, even if it is faster than other code.
     */
    @Test
    void allocatingCodeDoesNotCountAsQuick() throws Exception {
        assertFalse(JitWarmer.isInRegisters(LINE, (arrays, offsets, numbers, count) -> {
            for (int i = 0; i < count; i++) {
                arrays[1][i] = (float) Math.atan(arrays[0][i] * numbers[0] + i);
            }
        }));
        CompletableFuture<ChainLoop> trained = new CompletableFuture<>();
        new JitWarmer().train(LINE, trained::complete);
        ChainLoop loop = Await.result("the loop is trained", trained);
        // Other users of the processor make it slower, but never faster.
        assertTrue(IntStream.range(0, LOOKS).anyMatch(look -> JitWarmer.isInRegisters(LINE, loop)));
    }

    @Test
    void rarelyUsedCodeIsNotTrained() {
        ChainCode code = Chains.compiled(1).code(LINE);
        code.missed(1000);
        assertNull(code.loop());
    }

    @Test
    void requiredCodeIsTrainedAtOnce() {
        assertNotNull(Chains.atOnce(1).code(LINE).loop());
    }
}

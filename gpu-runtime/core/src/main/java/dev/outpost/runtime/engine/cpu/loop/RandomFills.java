package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.random.Philox;
import dev.outpost.types.DType;

/** Random elements, computed in whole Philox blocks of four draws of 32 bits or two of 64. */
public final class RandomFills {
    /** The number of elements that justifies a separate thread; a multiple of the elements of a block. */
    private static final int GRAIN = 4096;

    private RandomFills() {}

    public static void run(KernelThreads kernelThreads, Random op, Array result) {
        HeapBuffer target = Elementwise.buffer(result);
        int base = (int) result.layout().offset();
        boolean short32 = op.fn() == Random.Fn.UNIFORM && result.dtype() != DType.FLOAT64;
        int perBlock = short32 ? 4 : 2;
        if (op.isPart()) {
            runPart(kernelThreads, op, result, perBlock);
            return;
        }
        kernelThreads.run((int) result.shape().elements(), GRAIN, (from, to) -> {
            int[] words = new int[4];
            // Ranges begin at multiples of a block.
            for (int first = from; first < to; first += perBlock) {
                Philox.block(op.seed(), op.call(), first / perBlock, words);
                for (int draw = 0; draw < Math.min(perBlock, to - first); draw++) {
                    store(op, target, base + first + draw, words, draw);
                }
            }
        });
    }

    /** Computes each block of random bits once for adjacent elements. */
    private static void runPart(KernelThreads kernelThreads, Random op, Array result, int perBlock) {
        HeapBuffer target = Elementwise.buffer(result);
        int base = (int) result.layout().offset();
        kernelThreads.run((int) result.shape().elements(), GRAIN, (from, to) -> {
            int[] words = new int[4];
            long block = -1;
            for (int index = from; index < to; index++) {
                long element = op.part().element(index);
                if (element / perBlock != block) {
                    block = element / perBlock;
                    Philox.block(op.seed(), op.call(), block, words);
                }
                store(op, target, base + index, words, (int) (element % perBlock));
            }
        });
    }

    private static void store(Random op, HeapBuffer target, int index, int[] words, int draw) {
        switch (op.fn()) {
            case UNIFORM -> target.setDouble(index, uniform(target.dtype(), words, draw));
            case NORMAL -> target.setDouble(index, Philox.normal(words[2 * draw], words[2 * draw + 1]));
            case INTEGER ->
                target.setLong(index, Philox.integer(words[2 * draw], words[2 * draw + 1], op.low(), op.high()));
        }
    }

    /** Takes as many of the upper bits as the dtype holds, so that rounding never reaches 1. */
    private static double uniform(DType dtype, int[] words, int draw) {
        return switch (dtype) {
            case FLOAT64 -> Philox.uniformDouble(words[2 * draw], words[2 * draw + 1]);
            case FLOAT16 -> Philox.uniformFloat(words[draw], 11);
            case BFLOAT16 -> Philox.uniformFloat(words[draw], 8);
            case FLOAT32, INT64, INT32, INT16, INT8, UINT8, BOOL -> Philox.uniformFloat(words[draw]);
        };
    }
}

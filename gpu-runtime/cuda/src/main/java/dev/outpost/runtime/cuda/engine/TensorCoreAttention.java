package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Attention;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/**
 * Attention of 16-bit floats by tensor cores, which multiply 16 x 16 by 16 x 8 elements at once and sum in
 * float32.
 *
 * @param in the op's operands
 * @param mask the last of them, null where there is none
 */
record TensorCoreAttention(boolean causal, double scale, Array[] in, Array mask) {
    /** The first devices that multiply fragments of this size. */
    private static final int ARCHITECTURE = 80;

    private static final int THREADS = 128;
    /** Rows of a block's own, 16 a warp. */
    private static final int ROWS = THREADS / 2;
    /** Rows that a block goes through at once. */
    private static final int TILE = 64;

    /** Queries, keys and values of 64 features, or of 128. */
    static boolean suits(Gpu gpu, Array query, Array value) {
        long features = query.shape().size(3);
        boolean isShort = query.dtype() == DType.BFLOAT16 || query.dtype() == DType.FLOAT16;
        return isShort
                && gpu.architecture() >= ARCHITECTURE
                && (features == 64 || features == 128)
                && value.shape().size(3) == features;
    }

    void run(Launcher launcher, Array output, Array logarithms) {
        long tiles = Math.ceilDiv(in[0].shape().size(2), (long) ROWS);
        Arguments arguments = new Arguments().add(Launcher.address(output), Launcher.address(logarithms));
        launcher.runBlocks(
                template(Part.ATTENTION_MMA, TILE).source(),
                "attention_mma",
                in[0].shape().size(0) * in[0].shape().size(1) * tiles,
                THREADS,
                add(arguments, tiles, 3));
    }

    /** @param operands how many there are besides the mask */
    private Arguments add(Arguments arguments, long tiles, int operands) {
        Shape query = in[0].shape();
        for (int operand = 0; operand < operands; operand++) {
            arguments.add(Launcher.address(in[operand]));
        }
        arguments
                .add(AttentionPrimitives.addressOf(mask), Double.doubleToRawLongBits(scale))
                .add(query.size(1), Attention.headsOfGroup(query, in[1].shape()))
                .add(query.size(2), in[1].shape().size(2), tiles);
        for (int operand = 0; operand < operands; operand++) {
            arguments.add(in[operand].layout().strides());
        }
        return arguments.add(AttentionPrimitives.strides(mask, in));
    }

    private Template template(Part part, int tile) {
        CudaType word = CudaType.of(in[0].dtype());
        return AttentionPrimitives.masked(Template.of(part, true), causal, mask, word)
                .with(Part.ATTENTION_MASK)
                .with(Part.ATTENTION_FRAGMENTS)
                .arithmetic(word.sum())
                .elements(word)
                .define("KIND", '"' + word.stored() + '"')
                .define("TILE", tile)
                .define("THREADS", THREADS)
                .define("FEATURES", in[0].shape().size(3));
    }
}

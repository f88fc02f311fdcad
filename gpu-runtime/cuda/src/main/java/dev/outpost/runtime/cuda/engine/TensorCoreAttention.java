package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.code.Word;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.memory.Array;

/**
 * Attention of 16-bit floats by tensor cores, which multiply 16 x 16 by 16 x 8 elements at once and sum in float32.
 *
 * @param mask null where there is none
 */
record TensorCoreAttention(Attention op, Array[] in, Array mask) {
    /** The first devices that multiply fragments of this size. */
    private static final int ARCHITECTURE = 80;

    private static final int TILE = 64;
    private static final int THREADS = 128;

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
        Shape query = in[0].shape();
        Shape key = in[1].shape();
        long tiles = Math.ceilDiv(query.size(2), (long) TILE);
        Arguments arguments = new Arguments()
                .add(Launcher.address(output), Launcher.address(logarithms))
                .add(Launcher.address(in[0]), Launcher.address(in[1]), Launcher.address(in[2]))
                .add(Attending.addressOf(mask), Double.doubleToRawLongBits(op.scale()))
                .add(query.size(1), Attention.headsOfGroup(query, key))
                .add(query.size(2), key.size(2), tiles);
        for (int operand = 0; operand < 3; operand++) {
            arguments.add(in[operand].layout().strides());
        }
        launcher.runBlocks(
                template().source(),
                "attention_mma",
                query.size(0) * query.size(1) * tiles,
                THREADS,
                arguments.add(Attending.strides(mask, in)));
    }

    private Template template() {
        Word word = Word.of(in[0].dtype());
        return Attending.masked(Template.of(Part.ATTENTION_MMA, true), op.causal(), mask, word)
                .with(Part.ATTENTION_MASK)
                .arithmetic(word.sum())
                .elements(word)
                .define("KIND", '"' + word.stored() + '"')
                .define("TILE", TILE)
                .define("THREADS", THREADS)
                .define("FEATURES", in[0].shape().size(3));
    }
}

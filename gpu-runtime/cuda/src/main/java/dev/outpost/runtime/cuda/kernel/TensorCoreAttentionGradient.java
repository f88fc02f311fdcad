package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * The gradients of attention of 16-bit floats by tensor cores, in two kernels. The blocks of the first kernel compute gradients of queries,
 * and visit the keys. The blocks of the second kernel compute gradients of keys and values, and visit the queries. The order of each sum is
 * fixed.
 *
 * @param in the op's operands
 * @param mask the last operand; null if there is no mask
 */
record TensorCoreAttentionGradient(AttentionGradient op, Array[] in, Array mask) {
    /** The number of operands before the mask. */
    private static final int OPERANDS = 6;
    /** The number of operands of 16-bit floats: query, key, value and the output's gradient. */
    private static final int MATRICES = 4;

    private static final int THREADS = 128;
    /** The number of rows of a block with 16 rows for each warp. */
    private static final int ROWS = THREADS / 2;
    /** The number of blocks from which the device is busy with blocks of twice as many rows. */
    private static final long MANY = 128;
    /** The number of heads whose blocks alternate. A cache holds the rows of this number of heads. */
    private static final long TOGETHER = 32;

    static TensorCoreAttentionGradient of(AttentionGradient op, Array[] in) {
        return new TensorCoreAttentionGradient(op, in, in.length > OPERANDS ? in[OPERANDS] : null);
    }

    /**
     * The rows of a block, limited by registers and 48 KiB of shared memory.
     *
     * @param atoms the number of 16-row groups of a warp; with more of them, the other matrices are read less often
     * @param tile the number of rows of the other matrices that are loaded at the same time
     * @param part the number of these that are computed at once
     * @param held the number of 16-feature steps whose fragments of the second matrix stay in registers
     * @param blocks the number of blocks that a multiprocessor runs at once
     */
    private record Form(int atoms, int tile, int part, int held, int blocks) {
        static Form of(long features, long owners, long rows, boolean isOfKeys) {
            if (features == 128) {
                return new Form(1, 32, 32, isOfKeys ? 4 : 8, 2);
            }
            if (rows <= ROWS || owners * Math.ceilDiv(rows, 2L * ROWS) < MANY) {
                return new Form(1, 64, 32, 4, isOfKeys ? 2 : 3);
            }
            return new Form(2, 64, isOfKeys ? 16 : 32, 4, 2);
        }

        long rows() {
            return (long) atoms * ROWS;
        }
    }

    /** @param out the gradients of query, key and value */
    void run(CudaLauncher launcher, Array[] out) {
        launch(launcher, out, in[0].shape(), false);
        launch(launcher, out, in[1].shape(), true);
    }

    /** @param rows the shape of the rows of the kernel's blocks: queries or keys */
    private void launch(CudaLauncher launcher, Array[] out, Shape rows, boolean isOfKeys) {
        long owners = rows.size(0) * rows.size(1);
        Form form = Form.of(rows.size(3), owners, rows.size(2), isOfKeys);
        long tiles = Math.ceilDiv(rows.size(2), form.rows());
        launcher.runBlocks(
                template(form).define("OF_KEYS", isOfKeys ? 1 : 0).source(),
                "attention_gradient_mma",
                owners * tiles,
                THREADS,
                arguments(out, tiles, owners));
    }

    private Template template(Form form) {
        CudaType type = CudaType.of(in[0].dtype());
        boolean isAligned = Alignment.ofRows(Arrays.copyOf(in, MATRICES));
        return AttentionPrimitives.masked(Template.of(Part.ATTENTION_GRADIENT_MMA, true), op.causal(), mask, type)
                .with(Part.ATTENTION_FRAGMENTS)
                .with(Part.ATTENTION_TILES)
                .arithmetic(type.sum())
                .elements(type)
                .define("KIND", '"' + type.stored() + '"')
                .define("ALIGNED", isAligned ? 1 : 0)
                .define("ATOMS", form.atoms)
                .define("TILE", form.tile)
                .define("PART", form.part)
                .define("HELD", form.held)
                .define("BLOCKS", form.blocks)
                .define("THREADS", THREADS)
                .define("FEATURES", in[0].shape().size(3));
    }

    private KernelArguments arguments(Array[] out, long tiles, long owners) {
        KernelArguments arguments = new KernelArguments();
        for (Array result : out) {
            arguments.add(CudaLauncher.address(result));
        }
        for (int operand = 0; operand < OPERANDS; operand++) {
            arguments.add(CudaLauncher.address(in[operand]));
        }
        Shape query = in[0].shape();
        Shape key = in[1].shape();
        arguments
                .add(AttentionPrimitives.addressOf(mask), Double.doubleToRawLongBits(op.scale()))
                .add(query.size(1), Attention.headsOfGroup(query, key), query.size(2), key.size(2))
                .add(tiles, owners, Math.min(owners, TOGETHER));
        for (int operand = 0; operand < OPERANDS; operand++) {
            arguments.add(in[operand].layout().strides());
        }
        return arguments.add(AttentionPrimitives.strides(mask, in));
    }
}

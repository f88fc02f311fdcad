package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import java.util.Arrays;

/**
 * Attention and its gradients, computed in tiles, so that scores are never stored in the device's memory. Uses tensor
 * cores if they support the operands.
 */
public record AttentionPrimitives(CudaLauncher launcher) {
    /** The maximum number of tiles of features in a block's results. */
    private static final int MAX_PARTS = 2;

    /**
     * The parameters in a kernel's text.
     *
     * @param type the type of an element
     * @param tile the number of rows of a block
     * @param parts the number of tiles of features in a block's results
     */
    private record Form(CudaType type, int tile, int parts) {
        /** Chooses smaller tiles for doubles, which take twice the shared memory. */
        static Form of(DType dtype, long features) {
            int tile = dtype == DType.FLOAT64 ? 32 : 64;
            return new Form(CudaType.of(dtype), tile, features > tile ? MAX_PARTS : 1);
        }

        long tiles(long rows) {
            return Math.ceilDiv(rows, tile);
        }

        long chunks(long features) {
            return Math.ceilDiv(features, (long) tile * parts);
        }

        Template template(Part part, boolean causal, Array mask) {
            CudaType sum = type.sum();
            return masked(Template.of(part, true), causal, mask, type)
                    .with(Part.ATTENTION_MASK)
                    .with(Part.ATTENTION_PRODUCTS)
                    .arithmetic(sum)
                    .define("STORED", type.stored())
                    .sums(type)
                    .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(sum))
                    .define("EXP", "exp_" + sum.value())
                    .define("LOG", "log_" + sum.value())
                    .define("THREADS", CudaLauncher.THREADS)
                    .define("TILE", tile)
                    .define("PER", tile / 16)
                    .define("PARTS", parts);
        }
    }

    /** Defines the macros CAUSAL, MASK and MASKED, by which keys are hidden or numbers are added to scores. */
    static Template masked(Template template, boolean causal, Array mask, CudaType type) {
        int kind = mask == null ? 0 : mask.dtype() == DType.BOOL ? 1 : 2;
        return template.define("CAUSAL", causal ? 1 : 0)
                .define("MASK", kind)
                .define("MASKED", kind == 1 ? CudaType.B8.stored() : type.stored());
    }

    public void run(Attention op, Array[] in, Array output, Array logarithms) {
        if (output.shape().isEmpty()) {
            return;
        }
        Array mask = in.length > 3 ? in[3] : null;
        if (TensorCoreAttention.suits(launcher.gpu(), in[0], in[1], in[2])) {
            new TensorCoreAttention(op.causal(), op.scale(), in, mask).run(launcher, output, logarithms);
            return;
        }
        long values = in[2].shape().size(3);
        Form form = Form.of(output.dtype(), values);
        long tiles = form.tiles(in[0].shape().size(2));
        long chunks = form.chunks(values);
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(output), CudaLauncher.address(logarithms))
                .add(
                        CudaLauncher.address(in[0]),
                        CudaLauncher.address(in[1]),
                        CudaLauncher.address(in[2]),
                        addressOf(mask))
                .add(Double.doubleToRawLongBits(op.scale()));
        addSizes(arguments, in[0], in[1], in[2]).add(tiles, chunks);
        for (int operand = 0; operand < 3; operand++) {
            arguments.add(in[operand].layout().strides());
        }
        long blocks = in[0].shape().size(0) * in[0].shape().size(1) * tiles * chunks;
        launcher.runBlocks(
                form.template(Part.ATTENTION, op.causal(), mask).source(),
                "attention",
                blocks,
                CudaLauncher.THREADS,
                arguments.add(strides(mask, in)));
    }

    public void gradient(AttentionGradient op, Array[] in, Array[] out) {
        if (in[0].shape().isEmpty()) {
            clear(out[1]);
            clear(out[2]);
            return;
        }
        long features = in[0].shape().size(3);
        long values = in[2].shape().size(3);
        if (TensorCoreAttention.suits(launcher.gpu(), Arrays.copyOf(in, Backward.OPERANDS))) {
            TensorCoreAttentionGradient.of(op, in).run(launcher, out);
            return;
        }
        Backward backward = new Backward(op, in, out);
        backward.launch(launcher, false, features);
        backward.launch(launcher, true, Math.max(features, values));
    }

    private void clear(Array result) {
        if (!result.shape().isEmpty()) {
            launcher.gpu().fill(CudaLauncher.address(result), result.type().bytes(), 0);
        }
    }

    /**
     * Computes the gradients. One variant of the kernel computes the gradients of queries, and another variant the
     * gradients of keys and values.
     */
    private record Backward(AttentionGradient op, Array[] in, Array[] out) {
        /** The number of operands before the mask. */
        private static final int OPERANDS = 6;

        /**
         * @param isOfKeys true if the kernel's blocks have tiles of keys, false for tiles of queries
         * @param features the number of features of their results
         */
        void launch(CudaLauncher launcher, boolean isOfKeys, long features) {
            Array rows = isOfKeys ? in[1] : in[0];
            Array mask = in.length > OPERANDS ? in[OPERANDS] : null;
            Form form = Form.of(rows.dtype(), features);
            long tiles = form.tiles(rows.shape().size(2));
            long chunks = form.chunks(features);
            launcher.runBlocks(
                    form.template(Part.ATTENTION_GRADIENT, op.causal(), mask)
                            .define("OF_KEYS", isOfKeys ? 1 : 0)
                            .source(),
                    "attention_gradient",
                    rows.shape().size(0) * rows.shape().size(1) * tiles * chunks,
                    CudaLauncher.THREADS,
                    arguments(mask, tiles, chunks));
        }

        private KernelArguments arguments(Array mask, long tiles, long chunks) {
            KernelArguments arguments = new KernelArguments();
            for (Array result : out) {
                arguments.add(CudaLauncher.address(result));
            }
            for (int operand = 0; operand < OPERANDS; operand++) {
                arguments.add(CudaLauncher.address(in[operand]));
            }
            arguments.add(addressOf(mask), Double.doubleToRawLongBits(op.scale()));
            addSizes(arguments, in[0], in[1], in[2]).add(tiles, chunks);
            for (int operand = 0; operand < OPERANDS; operand++) {
                arguments.add(in[operand].layout().strides());
            }
            return arguments.add(strides(mask, in));
        }
    }

    private static KernelArguments addSizes(KernelArguments arguments, Array query, Array key, Array value) {
        return arguments
                .add(query.shape().size(1), Attention.headsOfGroup(query.shape(), key.shape()))
                .add(query.shape().size(2), key.shape().size(2))
                .add(query.shape().size(3), value.shape().size(3));
    }

    static long addressOf(Array mask) {
        return mask == null ? 0 : CudaLauncher.address(mask);
    }

    /** Returns the strides of the mask, broadcast to a number for each query and key. */
    static long[] strides(Array mask, Array[] in) {
        return mask == null
                ? new long[4]
                : mask.layout()
                        .expand(Attention.scores(in[0].shape(), in[1].shape()))
                        .strides();
    }
}

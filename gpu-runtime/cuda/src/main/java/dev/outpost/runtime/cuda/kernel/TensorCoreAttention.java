package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Attention;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Computes attention of 16-bit floats by tensor cores, which multiply 16 x 16 by 16 x 8 elements at once and sum in
 * float32.
 *
 * @param in the op's operands
 * @param mask the last operand; null if there is no mask
 */
record TensorCoreAttention(boolean causal, double scale, Array[] in, Array mask) {
    /** The first compute capability that multiplies fragments of this size. */
    private static final int ARCHITECTURE = 80;

    /**
     * The bound (exclusive) of sizes and strides, in elements. It is half of the range of an int, so that offsets
     * after the last element do not overflow.
     */
    static final long FARTHEST = 1 << 30;

    private static final int THREADS = 128;
    /** The number of a block's rows, 16 for each warp. */
    private static final int ROWS = THREADS / 2;
    /**
     * The number of heads whose blocks are launched together: first the longest block of each head, then the next one of each. The keys and
     * values of this number of heads stay in the cache.
     */
    private static final int TOGETHER = 32;

    /**
     * Returns true if queries, keys and values have 64 or 128 features, and offsets of elements within an operand fit
     * into 32 bits.
     *
     * @param in queries, keys and values
     */
    static boolean suits(Gpu gpu, Array... in) {
        DType dtype = in[0].dtype();
        long features = in[0].shape().size(3);
        return (dtype == DType.BFLOAT16 || dtype == DType.FLOAT16)
                && gpu.architecture() >= ARCHITECTURE
                && (features == 64 || features == 128)
                && in[2].shape().size(3) == features
                && Stream.of(in).allMatch(TensorCoreAttention::isNear);
    }

    private static boolean isNear(Array array) {
        return IntStream.range(1, array.shape().rank())
                .allMatch(dim -> array.shape().size(dim) < FARTHEST
                        && Math.abs(array.layout().stride(dim)) < FARTHEST);
    }

    void run(CudaLauncher launcher, Array output, Array logarithms) {
        Shape query = in[0].shape();
        long owners = query.size(0) * query.size(1);
        Form form = form(launcher.gpu(), owners);
        long tiles = Math.ceilDiv(query.size(2), (long) form.atoms * ROWS);
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(output), CudaLauncher.address(logarithms))
                .add(Math.min(TOGETHER, owners), owners);
        launcher.runBlocks(forward(form).source(), "attention_mma", owners * tiles, THREADS, add(arguments, tiles, 3));
    }

    /**
     * The use of a thread's registers, and of the 48 KiB of shared memory that every device has.
     *
     * @param atoms the number of 16-row groups of a warp's queries; with more of them, keys and values are read less often
     * @param tile the number of keys at once
     * @param held the number of 16-feature groups of a query in registers
     */
    private record Form(int atoms, int tile, int held) {}

    private Form form(Gpu gpu, long owners) {
        boolean isWide = in[0].shape().size(3) == 128;
        if (!isMany(gpu, owners) || !areAligned() || isWide && mask != null) {
            return isWide ? new Form(1, 32, 8) : new Form(1, 64, 4);
        }
        if (mask != null) {
            return new Form(2, 32, 4);
        }
        return isWide ? new Form(2, 32, 4) : new Form(2, 64, 2);
    }

    /** Returns true if the device stays busy with blocks of twice as many rows. More blocks are needed if they take unequal times. */
    private boolean isMany(Gpu gpu, long owners) {
        long queries = in[0].shape().size(2);
        return queries > ROWS && areMany(gpu, owners * Math.ceilDiv(queries, 2L * ROWS), causal);
    }

    /** Returns true if there are enough blocks to keep a device busy, with two of them at a time on a multiprocessor. */
    static boolean areMany(Gpu gpu, long blocks, boolean areUnequal) {
        return 2 * blocks >= (areUnequal ? 6L : 3L) * gpu.multiprocessors();
    }

    private boolean areAligned() {
        return Alignment.ofRows(in[0], in[1], in[2]);
    }

    private Template forward(Form form) {
        return template(Part.ATTENTION_MMA, form.tile)
                .with(Part.ATTENTION_TILES)
                .with(Part.ATTENTION_STEPS)
                .define("ALIGNED", areAligned() ? 1 : 0)
                .define("ATOMS", form.atoms)
                .define("ROWS", form.atoms * ROWS)
                .define("HELD", form.held);
    }

    /** @param operands the number of operands besides the mask */
    private KernelArguments add(KernelArguments arguments, long tiles, int operands) {
        Shape query = in[0].shape();
        for (int operand = 0; operand < operands; operand++) {
            arguments.add(CudaLauncher.address(in[operand]));
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
        CudaType type = CudaType.of(in[0].dtype());
        return AttentionPrimitives.masked(Template.of(part, true), causal, mask, type)
                .with(Part.ATTENTION_MASK)
                .with(Part.ATTENTION_FRAGMENTS)
                .arithmetic(type.sum())
                .elements(type)
                .define("KIND", '"' + type.stored() + '"')
                .define("TILE", tile)
                .define("THREADS", THREADS)
                .define("FEATURES", in[0].shape().size(3));
    }
}

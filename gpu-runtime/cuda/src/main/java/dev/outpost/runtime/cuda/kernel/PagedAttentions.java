package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;

/**
 * Attention over keys and values in the pages of a pool. With tensor cores, a block of threads computes up to 128
 * rows, which are queries of heads that share keys and values, as in a prompt. Alternatively, for up to 16 rows, as
 * in a decoding step, each block computes one part of the tokens. Without tensor cores, a block computes one query of
 * one head.
 */
public record PagedAttentions(CudaLauncher launcher, Indexing indexing) {
    /** The number of rows of a warp. */
    private static final int ROWS = 16;

    private static final int WARPS = 4;
    private static final int THREADS_OF_ROWS = 32 * WARPS;
    /** The least number of tokens in a part. */
    private static final int SHORTEST = 128;
    /**
     * The maximum number of parts into which a sequence is divided. The memory of their partial results stays small
     * compared to keys and values.
     */
    private static final int PARTS = 32;
    /** The number of values in a part's row besides its features: the largest score and the sum of weights. */
    private static final int BESIDES = 2;

    public void run(PagedAttention op, Array[] in, Array output) {
        long pageSize = in[1].shape().size(1);
        long pages = in[1].shape().size(0);
        long room = in[3].shape().size(1) * pageSize;
        indexing.requireAll(in[3], pages, page -> op.noPage(page, pages));
        indexing.requireAll(in[4], room, position -> op.noPosition(position, room));
        if (output.shape().isEmpty()) {
            return;
        }
        if (TensorCoreAttention.suits(launcher.gpu(), in[0], in[1], in[2]) && room < TensorCoreAttention.FARTHEST) {
            runByTensorCores(op, in, output, room);
            return;
        }
        long blocks =
                output.shape().size(0) * output.shape().size(1) * output.shape().size(2);
        launcher.runBlocks(
                template(op, output).source(),
                "paged_attention",
                blocks,
                CudaLauncher.THREADS,
                arguments(op, in, output, 0, 0, 0));
    }

    private void runByTensorCores(PagedAttention op, Array[] in, Array output, long room) {
        long rows = in[0].shape().size(2) * sharing(in);
        long owners = in[0].shape().size(0) * in[1].shape().size(2);
        if (rows <= ROWS) {
            runParts(op, in, output, new Cut(room, owners, rows));
        } else {
            runRows(op, in, output, owners, rows);
        }
    }

    /** Launches blocks with different rows. Each block visits all tokens. */
    private void runRows(PagedAttention op, Array[] in, Array output, long owners, long rows) {
        boolean isWide = output.shape().size(3) == 128;
        long twice = Math.ceilDiv(rows, 2L * WARPS * ROWS);
        boolean hasTwo =
                !isWide && areAligned(in) && TensorCoreAttention.areMany(launcher.gpu(), owners * twice, false);
        int atoms = hasTwo ? 2 : 1;
        long tiles = hasTwo ? twice : Math.ceilDiv(rows, (long) WARPS * ROWS);
        CudaSource source = tensorCores(Part.PAGED_ATTENTION_MMA, op, in, output, isWide ? 32 : 64, THREADS_OF_ROWS)
                .define("ATOMS", atoms)
                .define("ROWS", atoms * WARPS * ROWS)
                .source();
        launcher.runBlocks(
                source, "paged_attention_mma", owners * tiles, THREADS_OF_ROWS, arguments(op, in, output, 0, tiles, 0));
    }

    /**
     * The division of tokens into parts. It depends only on the capacity of a sequence, so a sequence's result does
     * not depend on the number of other sequences.
     *
     * @param owners the number of groups of heads, of all sequences
     * @param rows the number of rows of each
     */
    private record Cut(long room, long owners, long rows) {
        long part() {
            return SHORTEST * Math.ceilDiv(Math.ceilDiv(room, (long) PARTS), (long) SHORTEST);
        }

        long parts() {
            return Math.ceilDiv(room, part());
        }

        long bytes(long features) {
            return owners * parts() * rows * (features + BESIDES) * Float.BYTES;
        }
    }

    private void runParts(PagedAttention op, Array[] in, Array output, Cut cut) {
        int features = (int) output.shape().size(3);
        int tile = features == 128 ? 32 : 64;
        // Each warp has 16 tokens of a tile.
        int threads = 2 * tile;
        CudaSource source = tensorCores(Part.PAGED_ATTENTION_PARTS, op, in, output, tile, threads)
                .define("ATOMS", 1)
                .define("ROWS", ROWS)
                .source();
        DeviceAllocation parts = launcher.scratch(cut.bytes(features));
        try {
            KernelArguments arguments = arguments(op, in, output, parts.address(), cut.parts(), cut.part());
            launcher.runBlocks(source, "paged_attention_parts", cut.owners * cut.parts(), threads, arguments);
            launcher.runBlocks(source, "paged_attention_fold", cut.owners * cut.rows, features, arguments);
        } finally {
            launcher.release(parts);
        }
    }

    private static boolean areAligned(Array[] in) {
        return Alignment.ofRows(in[0], in[1], in[2]);
    }

    /** Returns the number of heads that share keys and values. */
    private static long sharing(Array[] in) {
        return in[0].shape().size(1) / in[1].shape().size(2);
    }

    /**
     * @param parts the address of the partial results; 0 if there are none
     * @param tiles the number of tiles of rows, or of parts of tokens
     * @param part the number of tokens in a part
     */
    private static KernelArguments arguments(
            PagedAttention op, Array[] in, Array output, long parts, long tiles, long part) {
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(output), parts)
                .add(CudaLauncher.address(in[0]), CudaLauncher.address(in[1]), CudaLauncher.address(in[2]))
                .add(CudaLauncher.address(in[3]), CudaLauncher.address(in[4]))
                .add(Double.doubleToRawLongBits(op.scale()), Double.doubleToRawLongBits(op.cap()))
                .add(in[0].shape().size(1), sharing(in))
                .add(in[0].shape().size(2), in[0].shape().size(3), in[2].shape().size(3))
                .add(in[1].shape().size(0), in[1].shape().size(1), in[3].shape().size(1), op.window(), tiles, part);
        for (Array operand : in) {
            arguments.add(operand.layout().strides());
        }
        return arguments;
    }

    private static Template tensorCores(Part part, PagedAttention op, Array[] in, Array output, int tile, int threads) {
        CudaType type = CudaType.of(output.dtype());
        long features = output.shape().size(3);
        return Template.of(part, true)
                .with(Part.PAGES)
                .with(Part.ATTENTION_FRAGMENTS)
                .with(Part.ATTENTION_TILES)
                .with(Part.ATTENTION_STEPS)
                .with(Part.PAGE_TILES)
                .arithmetic(type.sum())
                .elements(type)
                .sums(type)
                .define("KIND", '"' + type.stored() + '"')
                .define("TILE", tile)
                .define("THREADS", threads)
                .define("FEATURES", features)
                .define("HELD", features / 16)
                .define("ALIGNED", areAligned(in) ? 1 : 0)
                .define("CAPPED", op.isCapped() ? 1 : 0);
    }

    private static Template template(PagedAttention op, Array output) {
        CudaType type = CudaType.of(output.dtype());
        CudaType sum = type.sum();
        return Template.of(Part.PAGED_ATTENTION, true)
                .with(Part.PAGES)
                .arithmetic(sum)
                .define("STORED", type.stored())
                .sums(type)
                .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(sum))
                .define("EXP", "exp_" + sum.value())
                .define("TANH", "tanh_" + sum.value())
                .define("THREADS", CudaLauncher.THREADS)
                .define("CAPPED", op.isCapped() ? 1 : 0)
                .define("PER", Math.max(1, Math.ceilDiv(output.shape().size(3), (long) CudaLauncher.THREADS)));
    }
}

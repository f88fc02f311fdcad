package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.memory.Array;

/**
 * Attention over pages of a pool. Where many queries share keys and values, as in a prompt, tensor cores multiply, and a block has 64 queries
 * of a group of heads. Elsewhere, as in a step of decoding, a block has a query of a head.
 */
final class PagedAttentions {
    /** Queries of a block of tensor cores, 16 a warp. */
    private static final int ROWS = 64;

    private static final int THREADS_OF_ROWS = 2 * ROWS;
    /** Queries that share keys and values from which on most of a block has work. */
    private static final int FEWEST = ROWS / 4;

    private final Launcher launcher;
    private final Indexing indexing;

    PagedAttentions(Launcher launcher, Indexing indexing) {
        this.launcher = launcher;
        this.indexing = indexing;
    }

    void run(PagedAttention op, Array[] in, Array output) {
        long pageSize = in[1].shape().size(1);
        long pages = in[1].shape().size(0);
        long room = in[3].shape().size(1) * pageSize;
        indexing.requireAll(in[3], pages, page -> op.noPage(page, pages));
        indexing.requireAll(in[4], room, position -> op.noPosition(position, room));
        if (output.shape().isEmpty()) {
            return;
        }
        long rows = in[0].shape().size(2) * sharing(in);
        if (rows >= FEWEST && TensorCoreAttention.suits(launcher.gpu(), in[0], in[2])) {
            long tiles = Math.ceilDiv(rows, (long) ROWS);
            launcher.runBlocks(
                    tensorCores(op, output).source(),
                    "paged_attention_mma",
                    in[0].shape().size(0) * in[1].shape().size(2) * tiles,
                    THREADS_OF_ROWS,
                    arguments(op, in, output, tiles));
            return;
        }
        long blocks =
                output.shape().size(0) * output.shape().size(1) * output.shape().size(2);
        launcher.runBlocks(
                template(op, output).source(),
                "paged_attention",
                blocks,
                Launcher.THREADS,
                arguments(op, in, output, 0));
    }

    /** Heads that share keys and values. */
    private static long sharing(Array[] in) {
        return in[0].shape().size(1) / in[1].shape().size(2);
    }

    private static Arguments arguments(PagedAttention op, Array[] in, Array output, long tiles) {
        Arguments arguments = new Arguments()
                .add(Launcher.address(output))
                .add(Launcher.address(in[0]), Launcher.address(in[1]), Launcher.address(in[2]))
                .add(Launcher.address(in[3]), Launcher.address(in[4]))
                .add(Double.doubleToRawLongBits(op.scale()), Double.doubleToRawLongBits(op.cap()))
                .add(in[0].shape().size(1), sharing(in))
                .add(in[0].shape().size(2), in[0].shape().size(3), in[2].shape().size(3))
                .add(in[1].shape().size(0), in[1].shape().size(1), in[3].shape().size(1), op.window(), tiles);
        for (Array operand : in) {
            arguments.add(operand.layout().strides());
        }
        return arguments;
    }

    private static Template tensorCores(PagedAttention op, Array output) {
        CudaType word = CudaType.of(output.dtype());
        return Template.of(Part.PAGED_ATTENTION_MMA, true)
                .with(Part.PAGES)
                .with(Part.ATTENTION_FRAGMENTS)
                .arithmetic(word.sum())
                .elements(word)
                .sums(word)
                .define("KIND", '"' + word.stored() + '"')
                .define("TILE", ROWS)
                .define("ROWS", ROWS)
                .define("THREADS", THREADS_OF_ROWS)
                .define("FEATURES", output.shape().size(3))
                .define("CAPPED", op.isCapped() ? 1 : 0);
    }

    private static Template template(PagedAttention op, Array output) {
        CudaType word = CudaType.of(output.dtype());
        CudaType sum = word.sum();
        return Template.of(Part.PAGED_ATTENTION, true)
                .with(Part.PAGES)
                .arithmetic(sum)
                .define("STORED", word.stored())
                .sums(word)
                .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(sum))
                .define("EXP", "exp_" + sum.value())
                .define("TANH", "tanh_" + sum.value())
                .define("THREADS", Launcher.THREADS)
                .define("CAPPED", op.isCapped() ? 1 : 0)
                .define("PER", Math.max(1, Math.ceilDiv(output.shape().size(3), (long) Launcher.THREADS)));
    }
}

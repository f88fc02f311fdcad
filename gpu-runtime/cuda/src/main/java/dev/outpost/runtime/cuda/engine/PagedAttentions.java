package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.memory.Array;

/** Attention over pages of a pool: a block for each query of each head. */
final class PagedAttentions {
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
        Arguments arguments = new Arguments()
                .add(Launcher.address(output))
                .add(Launcher.address(in[0]), Launcher.address(in[1]), Launcher.address(in[2]))
                .add(Launcher.address(in[3]), Launcher.address(in[4]))
                .add(Double.doubleToRawLongBits(op.scale()), Double.doubleToRawLongBits(op.cap()))
                .add(
                        in[0].shape().size(1),
                        in[0].shape().size(1) / in[1].shape().size(2))
                .add(in[0].shape().size(2), in[0].shape().size(3), in[2].shape().size(3))
                .add(pages, pageSize, in[3].shape().size(1), op.window());
        for (Array operand : in) {
            arguments.add(operand.layout().strides());
        }
        long blocks =
                output.shape().size(0) * output.shape().size(1) * output.shape().size(2);
        launcher.runBlocks(template(op, output).source(), "paged_attention", blocks, Launcher.THREADS, arguments);
    }

    private static Template template(PagedAttention op, Array output) {
        CudaType word = CudaType.of(output.dtype());
        CudaType sum = word.sum();
        return Template.of(Part.PAGED_ATTENTION, true)
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

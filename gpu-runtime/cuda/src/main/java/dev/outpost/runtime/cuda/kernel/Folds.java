package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Folding;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.Dimensions;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.Lined;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;

/** Reductions. The number of threads for a line and the number of its slices depend only on the shape. */
public record Folds(CudaLauncher launcher) {
    private static final int WARP = 32;

    /** The length from which a line is folded by a warp. A shorter line is folded by one thread, a much longer one by a block. */
    private static final int FOR_A_WARP = 17;

    private static final int FOR_A_BLOCK = 1025;

    /** The number of threads below which most of a device is idle. */
    private static final long ENOUGH_THREADS = 1 << 16;

    private static final long SHORTEST_SLICE = 64;
    private static final int MAX_SLICES = 4096;

    /** The lines that are folded: along some dimensions, one line for each index of the others. */
    private record Lines(long address, Dimensions kept, Dimensions folded) {}

    public void reduce(Reduce op, Array in, Array out) {
        if (out.shape().isEmpty()) {
            return;
        }
        Layout layout = in.layout();
        long[] sizes = layout.shape().toArray();
        boolean[] folded = new boolean[sizes.length];
        for (int dim = 0; dim < sizes.length; dim++) {
            folded[dim] = op.axes().contains(dim);
        }
        Lines lines = new Lines(
                CudaLauncher.address(in),
                Lined.dimensions(sizes, layout.strides(), folded, false),
                Lined.dimensions(sizes, layout.strides(), folded, true));
        CudaType type = CudaType.of(in.dtype());
        fold(op.fn(), type, type, lines, CudaLauncher.address(out));
    }

    /** Folds rows of partial results into one row. */
    void parts(Reduce.Fn fn, CudaType sum, CudaType type, long address, long rows, long columns, long out) {
        Lines lines = new Lines(
                address,
                Dimensions.of(new long[] {columns}, new long[] {1}),
                Dimensions.of(new long[] {rows}, new long[] {columns}));
        fold(fn, sum, type, lines, out);
    }

    private void fold(Reduce.Fn fn, CudaType from, CudaType to, Lines lines, long out) {
        long outputs = lines.kept.elements();
        long length = lines.folded.elements();
        int team = team(lines);
        long slices = slices(outputs, length, team);
        if (slices == 1) {
            pass(fn, from, to, lines, 1, out);
            return;
        }
        CudaType sum = from.sum();
        DeviceAllocation parts = launcher.scratch(outputs * slices * sum.bytes());
        try {
            pass(fn, from, sum, lines, slices, parts.address());
            Lines rest = new Lines(
                    parts.address(),
                    Dimensions.of(new long[] {outputs}, new long[] {1}),
                    Dimensions.of(new long[] {slices}, new long[] {outputs}));
            pass(fn, sum, to, rest, 1, out);
        } finally {
            launcher.release(parts);
        }
    }

    private void pass(Reduce.Fn fn, CudaType from, CudaType to, Lines lines, long slices, long out) {
        int team = team(lines);
        long outputs = lines.kept.elements();
        long length = lines.folded.elements();
        boolean wide = lines.kept.isWide() || lines.folded.isWide();
        CudaSource source = Folding.of(Template.of(Part.REDUCE, wide), fn, from.sum())
                .define("STORED", from.stored())
                .define("RESULT", to.stored())
                .define("SUM", from.sum().value())
                .define("TAKE(x)", from.value() + "_to_" + from.sum().value() + "(" + from.load() + "(x))")
                .define("GIVE(x)", to.store() + "(" + from.sum().value() + "_to_" + to.value() + "(x))")
                .define("TEAM", team)
                .define("KEPT", lines.kept.rank())
                .define("FOLDED", lines.folded.rank())
                .source();
        KernelArguments arguments = new KernelArguments()
                .add(out, lines.address, outputs, length, slices, (length + slices - 1) / slices)
                .add(lines.kept.sizes())
                .add(lines.kept.strides()[0])
                .add(lines.folded.sizes())
                .add(lines.folded.strides()[0]);
        launcher.run(source, "reduce", outputs * slices * team, arguments);
    }

    /**
     * Returns the number of threads that share a line. It is chosen so that neighbouring threads read neighbouring elements of one line,
     * or of neighbouring lines.
     */
    private static int team(Lines lines) {
        long length = lines.folded.elements();
        boolean across = lines.kept.elements() > 1
                && lines.kept.innermostStride(0) < lines.folded.innermostStride(0)
                && lines.kept.innermostSize() >= WARP / 2;
        if (across || length < FOR_A_WARP) {
            return 1;
        }
        return length < FOR_A_BLOCK ? WARP : CudaLauncher.THREADS;
    }

    private static long slices(long outputs, long length, int team) {
        long useful = length / (SHORTEST_SLICE * team);
        long wanted = ENOUGH_THREADS / Math.max(1, outputs * team);
        return Math.max(1, Math.min(MAX_SLICES, Math.min(useful, wanted)));
    }
}

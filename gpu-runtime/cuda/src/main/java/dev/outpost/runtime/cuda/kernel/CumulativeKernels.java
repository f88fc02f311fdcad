package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Folding;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.DeviceAllocation;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.Lined;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;

/** Ops that process lines along one dimension in order, such as cumulative sums and searches. */
public record CumulativeKernels(CudaLauncher launcher) {
    private static final int WARP = 32;

    /** The number of lines from which one thread for each line keeps a device busy. */
    private static final long MANY_LINES = 1 << 14;

    /** The number of blocks that keeps a device busy. */
    private static final long WANTED_BLOCKS = 256;

    /** The number of elements in the shortest slice. */
    private static final long SHORTEST = 2048;

    public void argReduce(ArgReduce op, Array in, Array out) {
        Lined lined = Lined.along(op.axis(), in.layout());
        CudaType type = CudaType.of(in.dtype());
        int threads = lined.length() <= WARP ? WARP : CudaLauncher.THREADS;
        CudaSource source = Template.of(Part.ARG_REDUCE, lined.starts().isWide())
                .elements(type)
                .define("BETTER(x, y)", better(op.fn(), in.dtype()))
                .define("THREADS", threads)
                .define("KEPT", lined.starts().rank())
                .source();
        long slice = sliceOf(lined);
        long slices = Math.ceilDiv(lined.length(), slice);
        if (slices == 1) {
            KernelArguments whole = best(CudaLauncher.address(out), in, 0, lined, lined.length(), 1);
            launcher.runBlocks(source, "arg_reduce", lined.lines(), threads, whole);
            return;
        }
        DeviceAllocation candidates = launcher.scratch(lined.lines() * slices * Long.BYTES);
        KernelArguments ofSlices = best(candidates.address(), in, 0, lined, lined.length(), slices);
        launcher.runBlocks(source, "arg_reduce", lined.lines() * slices, threads, ofSlices);
        KernelArguments ofAll = best(CudaLauncher.address(out), in, candidates.address(), lined, slices, 1);
        launcher.runBlocks(source, "arg_reduce", lined.lines(), threads, ofAll);
        launcher.release(candidates);
    }

    /**
     * Returns the number of a line's elements that each block processes: the whole line, unless lines are long and
     * few.
     */
    private static long sliceOf(Lined lined) {
        long slices = Math.clamp(WANTED_BLOCKS / Math.max(1, lined.lines()), 1, Math.max(1, lined.length() / SHORTEST));
        return Math.max(1, Math.ceilDiv(lined.length(), slices));
    }

    private static KernelArguments best(long to, Array in, long candidates, Lined lined, long length, long slices) {
        return new KernelArguments()
                .add(to, CudaLauncher.address(in), candidates, length, lined.strides()[0])
                .add(slices, Math.max(1, Math.ceilDiv(length, slices)))
                .add(lined.starts().sizes())
                .add(lined.starts().strides()[0]);
    }

    private static String better(ArgReduce.Fn fn, DType dtype) {
        String compared = switch (fn) {
            case ARGMAX -> "(x) > (y)";
            case ARGMIN -> "(x) < (y)";
        };
        return dtype.isFloating() ? "((x) != (x) ? (y) == (y) : " + compared + ")" : "(" + compared + ")";
    }

    public void cumulative(Cumulative op, Array in, Array out) {
        if (in.shape().isEmpty()) {
            return;
        }
        accumulate(op.fn(), Lined.along(op.axis(), in.layout(), out.layout()), in, out);
    }

    /** Computes the running folds of lines. Input and output may be the same array. */
    void accumulate(Reduce.Fn fn, Lined lined, Array in, Array out) {
        CudaType type = CudaType.of(in.dtype());
        boolean apart = lined.lines() >= MANY_LINES || lined.length() <= WARP;
        int team = apart ? 1 : CudaLauncher.THREADS;
        CudaSource source = Folding.of(
                        Template.of(Part.CUMULATIVE, lined.starts().isWide()), fn, type.sum())
                .elements(type)
                .sums(type)
                .define("TEAM", team)
                .define("KEPT", lined.starts().rank())
                .source();
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(out), CudaLauncher.address(in), lined.lines(), lined.length())
                .add(lined.strides())
                .add(lined.starts().sizes())
                .add(lined.starts().strides()[0])
                .add(lined.starts().strides()[1]);
        if (apart) {
            launcher.run(source, "cumulative", lined.lines(), arguments);
        } else {
            launcher.runBlocks(source, "cumulative", lined.lines(), team, arguments);
        }
    }
}

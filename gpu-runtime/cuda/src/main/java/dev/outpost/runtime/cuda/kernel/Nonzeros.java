package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.Lined;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;

/** Finds the elements that are not zero. It counts them by block and sums the counts. Then each block knows where to write. */
public record Nonzeros(CudaLauncher launcher, CumulativeKernels cumulativeKernels) {
    public void run(Nonzero op, Array in, Array out) {
        long count = in.shape().elements();
        if (count == 0) {
            requireCount(op.count(), 0);
            return;
        }
        long blocks = (count + CudaLauncher.THREADS - 1) / CudaLauncher.THREADS;
        Array counts = launcher.scratch(DType.INT64, Shape.of(blocks));
        try {
            CudaSource source = source(in);
            KernelArguments arguments = arguments(op, in, counts, out);
            launcher.runBlocks(source, "nonzero_counts", blocks, CudaLauncher.THREADS, arguments);
            Layout line = counts.layout();
            cumulativeKernels.accumulate(Reduce.Fn.SUM, Lined.along(0, line, line), counts, counts);
            requireCount(op.count(), launcher.readLong(((CudaBuffer) counts.buffer()).address(blocks - 1)));
            launcher.runBlocks(source, "nonzero_places", blocks, CudaLauncher.THREADS, arguments);
        } finally {
            launcher.release(counts);
        }
    }

    private static void requireCount(long stated, long found) {
        if (stated != found) {
            throw new OutpostException(
                    FaultKind.INTERNAL, "nonzero: the stated count is wrong, got " + stated + " and " + found);
        }
    }

    private static CudaSource source(Array in) {
        CudaType type = CudaType.of(in.dtype());
        return Template.of(Part.NONZERO, in.shape().elements() > Integer.MAX_VALUE)
                .arithmetic(type)
                .elements(type)
                .define("nonzero(x)", "nonzero_" + type.value() + "(x)")
                .define("THREADS", CudaLauncher.THREADS)
                .define("RANK", Math.max(1, in.shape().rank()))
                .define("DIMS", in.shape().rank())
                .source();
    }

    private static KernelArguments arguments(Nonzero op, Array in, Array counts, Array out) {
        boolean scalar = in.shape().rank() == 0;
        return new KernelArguments()
                .add(CudaLauncher.address(counts), CudaLauncher.address(in), CudaLauncher.address(out))
                .add(in.shape().elements(), op.count())
                .add(scalar ? new long[] {1} : in.shape().toArray())
                .add(scalar ? new long[] {0} : in.layout().strides());
    }
}

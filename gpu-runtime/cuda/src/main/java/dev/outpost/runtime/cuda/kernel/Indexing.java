package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexNames;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.Dimensions;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.IndexException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.LongFunction;

/** Ops that read or write at indices. All indices are checked first, and the first one out of bounds is refused. */
public record Indexing(CudaLauncher launcher, Scatters scatters) {
    public void check(IndexCheck op, Array index, Array out) {
        long refused = refused(index, -op.size(), op.size(), CudaLauncher.address(out));
        if (refused != CudaLauncher.NOTHING) {
            throw new OpException(
                    op.label(), "index " + at(index, refused) + " is out of bounds for dimension of size " + op.size());
        }
    }

    public void gather(Gather op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, index, out);
    }

    public void select(IndexSelect op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, Scatters.alongAxis(index, op.axis(), out.shape()), out);
    }

    public void scatter(Scatter op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatters.scatter(op.fn(), op.axis(), base, index, source, out);
    }

    public void write(IndexWrite op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatters.write(op.fn(), op.axis(), base, index, source, out);
    }

    // ---- checking indices

    /** Throws for the first number that is negative or not below a bound. */
    void requireAll(Array index, long size, LongFunction<IndexException> refusal) {
        long refused = refused(index, 0, size, 0);
        if (refused != CudaLauncher.NOTHING) {
            throw refusal.apply(at(index, refused));
        }
    }

    private void requireWithin(Op op, Array index, int axis, Shape shape) {
        long refused = refused(index, 0, shape.size(axis), 0);
        if (refused != CudaLauncher.NOTHING) {
            throw IndexNames.refusal(op, at(index, refused), axis, shape.size(axis));
        }
    }

    private long refused(Array index, long lowest, long size, long out) {
        Dimensions dimensions = Dimensions.of(index.shape(), index.layout());
        long count = dimensions.elements();
        boolean onlyLooks = out == 0;
        if (count == 0 || onlyLooks && launcher.hasKnownIndices()) {
            return CudaLauncher.NOTHING;
        }
        Template template = Template.of(Part.CHECK_INDEX, dimensions.isWide()).define("RANK", dimensions.rank());
        KernelArguments arguments = new KernelArguments()
                .add(out, CudaLauncher.address(index), launcher.refusal(), count, lowest, size)
                .add(dimensions.sizes())
                .add(dimensions.strides()[0]);
        launcher.run(template.source(), "check_index", count, arguments);
        return launcher.refused();
    }

    private long at(Array index, long element) {
        long position = index.layout().offset();
        long rest = element;
        for (int dim = index.shape().rank() - 1; dim >= 0; dim--) {
            position += rest % index.shape().size(dim) * index.layout().stride(dim);
            rest /= index.shape().size(dim);
        }
        return launcher.readInteger(index, position);
    }

    // ---- reading

    private void gatherAlong(int axis, Array input, Array index, Array out) {
        long count = out.shape().elements();
        if (count == 0) {
            return;
        }
        long[] starts = input.layout().strides();
        starts[axis] = 0;
        Dimensions dimensions =
                Dimensions.of(out.shape().toArray(), starts, index.layout().strides());
        Template template = Template.of(Part.GATHER, dimensions.isWide())
                .define("STORED", CudaType.moved(input.dtype()).stored())
                .define("RANK", dimensions.rank());
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(out), CudaLauncher.address(input), CudaLauncher.address(index), count)
                .add(input.shape().size(axis), input.layout().stride(axis))
                .add(dimensions.sizes())
                .add(dimensions.strides()[0])
                .add(dimensions.strides()[1]);
        launcher.run(template.source(), "gather", count, arguments);
    }
}

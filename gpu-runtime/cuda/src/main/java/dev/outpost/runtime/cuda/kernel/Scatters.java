package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.cuda.launch.Lined;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/**
 * Writes elements at indices. Writes to one place keep the order of the index for any number of threads. The caller
 * has checked the index.
 */
public record Scatters(CudaLauncher launcher, Maps maps, Sorting sorting) {
    /** The length of a line from which sorting the index is faster. */
    private static final long LONG = 32;

    /** The arrays of a scatter. Each element of a part of the source has an index. */
    private record Work(Scatter.Fn fn, int axis, Array source, Array out) {}

    /** Scatters by an index that has as many dimensions as the source. */
    void scatter(Scatter.Fn fn, int axis, Array base, Array index, Array source, Array out) {
        maps.copy(base, out);
        Work work = new Work(fn, axis, source, out);
        if (index.shape().isEmpty()) {
            return;
        }
        if (index.shape().size(axis) < LONG) {
            launch("scatter", work, index, index);
            return;
        }
        sorted(index, axis, (values, places) -> launch("scatter_runs", work, values, places));
    }

    /** Scatters by one index for all lines along the axis. */
    void write(Scatter.Fn fn, int axis, Array base, Array index, Array source, Array out) {
        maps.copy(base, out);
        Work work = new Work(fn, axis, source, out);
        Shape shape = source.shape();
        if (shape.isEmpty()) {
            return;
        }
        if (shape.size(axis) < LONG) {
            Array everywhere = alongAxis(index, axis, shape);
            launch("scatter", work, everywhere, everywhere);
            return;
        }
        sorted(
                index,
                0,
                (values, places) ->
                        launch("scatter_runs", work, alongAxis(values, axis, shape), alongAxis(places, axis, shape)));
    }

    /** Receives an index in sorted order, and the original position of each of its numbers. */
    private interface Ordered {
        void accept(Array values, Array places);
    }

    private void sorted(Array index, int axis, Ordered use) {
        Array values = launcher.scratch(DType.INT64, index.shape());
        Array places = launcher.scratch(DType.INT64, index.shape());
        try {
            sorting.sort(new Sort(axis, false), index, values, places);
            use.accept(values, places);
        } finally {
            launcher.release(values);
            launcher.release(places);
        }
    }

    /** Expands a one-dimensional index over all dimensions but the axis, so that every element has its own. */
    static Array alongAxis(Array index, int axis, Shape shape) {
        long[] strides = new long[shape.rank()];
        strides[axis] = index.layout().stride(0);
        return new Array(
                index.buffer(), Layout.of(shape, strides, index.layout().offset()));
    }

    private void launch(String kernel, Work work, Array index, Array places) {
        Array out = work.out;
        Array source = work.source;
        Lined lined = Lined.along(work.axis, index.layout(), out.layout(), source.layout());
        Template template = joining(Template.of(Part.SCATTER, lined.starts().isWide()), work.fn, source.dtype())
                .define("RANK", lined.starts().rank());
        long[] strides = lined.strides();
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(out), CudaLauncher.address(index), CudaLauncher.address(places))
                .add(
                        CudaLauncher.address(source),
                        lined.lines(),
                        lined.length(),
                        out.shape().size(work.axis))
                .add(strides[1], strides[0], strides[2])
                .add(lined.starts().sizes())
                .add(lined.starts().strides()[1])
                .add(lined.starts().strides()[0])
                .add(lined.starts().strides()[2]);
        long threads = index == places ? lined.lines() : lined.lines() * lined.length();
        launcher.run(template.source(), kernel, threads, arguments);
    }

    /** Defines JOIN, which combines an element with the one at its target. Every step rounds to the dtype. */
    private static Template joining(Template template, Scatter.Fn fn, DType dtype) {
        String function = switch (fn) {
            case SET -> "";
            case ADD -> "add";
            case MUL -> "mul";
            case MAX -> "maximum";
            case MIN -> "minimum";
        };
        if (fn == Scatter.Fn.SET) {
            return template.define("STORED", CudaType.moved(dtype).stored()).define("JOIN(there, x)", "x");
        }
        CudaType type = CudaType.of(dtype);
        String joined = function + "_" + type.value() + "(" + type.load() + "(there), " + type.load() + "(x))";
        return template.arithmetic(type)
                .define("STORED", type.stored())
                .define("JOIN(there, x)", type.store() + "(" + joined + ")");
    }
}

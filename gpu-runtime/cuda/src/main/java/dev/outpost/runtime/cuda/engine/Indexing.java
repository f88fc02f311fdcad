package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.fault.OpException;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.code.Word;
import dev.outpost.runtime.memory.Array;

/** Ops that read or write where an index says. Each index is looked at before, and the first that is out of bounds refused. */
final class Indexing {
    private final Launcher launcher;
    private final Maps maps;

    Indexing(Launcher launcher, Maps maps) {
        this.launcher = launcher;
        this.maps = maps;
    }

    void check(IndexCheck op, Array index, Array out) {
        long refused = refused(index, -op.size(), op.size(), Launcher.address(out));
        if (refused != Launcher.NOTHING) {
            throw new OpException(
                    op.label(),
                    "index " + at(index, refused) + " is out of bounds for dimension of size " + op.size());
        }
    }

    void gather(Gather op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, index, out);
    }

    void select(IndexSelect op, Array input, Array index, Array out) {
        requireWithin(op, index, op.axis(), input.shape());
        gatherAlong(op.axis(), input, alongAxis(index, op.axis(), out.shape()), out);
    }

    void scatter(Scatter op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatterAlong(op.axis(), op.fn(), base, index, source, out);
    }

    void write(IndexWrite op, Array base, Array index, Array source, Array out) {
        requireWithin(op, index, op.axis(), base.shape());
        scatterAlong(op.axis(), op.fn(), base, alongAxis(index, op.axis(), source.shape()), source, out);
    }

    // ---- looking at an index

    private void requireWithin(Op op, Array index, int axis, Shape shape) {
        long refused = refused(index, 0, shape.size(axis), 0);
        if (refused != Launcher.NOTHING) {
            throw new OpException(
                    op.label(),
                    "index " + at(index, refused) + " is out of bounds for dimension " + axis + " with size "
                            + shape.size(axis));
        }
    }

    private long refused(Array index, long lowest, long size, long out) {
        Dimensions dimensions = Dimensions.of(index.shape(), index.layout());
        long count = dimensions.elements();
        if (count == 0) {
            return Launcher.NOTHING;
        }
        Template template =
                Template.of(Part.CHECK_INDEX, dimensions.isWide()).define("RANK", dimensions.rank());
        Arguments arguments = new Arguments()
                .add(out, Launcher.address(index), launcher.refusal(), count, lowest, size)
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

    /** A one-dimensional index repeated over all dimensions but the axis, so that every element has its own. */
    private static Array alongAxis(Array index, int axis, Shape shape) {
        long[] strides = new long[shape.rank()];
        strides[axis] = index.layout().stride(0);
        return new Array(
                index.buffer(), Layout.of(shape, strides, index.layout().offset()));
    }

    // ---- reading and writing

    private void gatherAlong(int axis, Array input, Array index, Array out) {
        long count = out.shape().elements();
        if (count == 0) {
            return;
        }
        long[] starts = input.layout().strides();
        starts[axis] = 0;
        Dimensions dimensions = Dimensions.of(
                out.shape().toArray(), starts, index.layout().strides());
        Template template = Template.of(Part.GATHER, dimensions.isWide())
                .define("STORED", Word.moved(input.dtype()).stored())
                .define("RANK", dimensions.rank());
        Arguments arguments = new Arguments()
                .add(Launcher.address(out), Launcher.address(input), Launcher.address(index), count)
                .add(input.shape().size(axis), input.layout().stride(axis))
                .add(dimensions.sizes())
                .add(dimensions.strides()[0])
                .add(dimensions.strides()[1]);
        launcher.run(template.source(), "gather", count, arguments);
    }

    private void scatterAlong(int axis, Scatter.Fn fn, Array base, Array index, Array source, Array out) {
        maps.copy(base, out);
        if (index.shape().isEmpty()) {
            return;
        }
        Lined lined = Lined.along(axis, index.layout(), out.layout(), source.layout());
        Template template = joining(Template.of(Part.SCATTER, lined.starts().isWide()), fn, source.dtype())
                .define("RANK", lined.starts().rank());
        long[] strides = lined.strides();
        Arguments arguments = new Arguments()
                .add(Launcher.address(out), Launcher.address(index), Launcher.address(source))
                .add(lined.lines(), lined.length(), out.shape().size(axis))
                .add(strides[1], strides[0], strides[2])
                .add(lined.starts().sizes())
                .add(lined.starts().strides()[1])
                .add(lined.starts().strides()[0])
                .add(lined.starts().strides()[2]);
        launcher.run(template.source(), "scatter", lined.lines(), arguments);
    }

    /** Says JOIN: how an element joins the one that is there. Every step rounds to the dtype. */
    private static Template joining(Template template, Scatter.Fn fn, DType dtype) {
        String function = switch (fn) {
            case SET -> "";
            case ADD -> "add";
            case MUL -> "mul";
            case MAX -> "maximum";
            case MIN -> "minimum";
        };
        if (fn == Scatter.Fn.SET) {
            return template.define("STORED", Word.moved(dtype).stored()).define("JOIN(there, x)", "x");
        }
        Word word = Word.of(dtype);
        String joined = function + "_" + word.value() + "(" + word.load() + "(there), " + word.load() + "(x))";
        return template.arithmetic(word)
                .define("STORED", word.stored())
                .define("JOIN(there, x)", word.store() + "(" + joined + ")");
    }
}

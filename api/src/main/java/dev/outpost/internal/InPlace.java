package dev.outpost.internal;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.graph.Edge;
import dev.outpost.internal.graph.OverwriteNode;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.vmap.Batching;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;

/**
 * Writes through views. The machine computes a new value, and the cell is bound to it. A thread that computes the new value from the
 * target calls {@link Cell#beginWrite} before it reads the target.
 */
public final class InPlace {
    private InPlace() {}

    /**
     * Makes {@code target} and all that shares its storage see {@code source}, which was computed of target and has its
     * shape and dtype.
     */
    public static void assign(Tensor target, Tensor source) {
        write(target, source, source.requiresGrad(), false);
    }

    /**
     * Assigns as {@link #assign}, from a source that does not depend on the target: the gradient of the target's old value is zero. On a
     * group of machines the target keeps its placement.
     */
    public static void overwrite(Tensor target, Tensor source) {
        write(target, source, false, true);
    }

    private static void write(Tensor target, Tensor source, boolean leadsBack, boolean staysPlaced) {
        Cell cell = Internals.cell(target);
        if (cell.isWriting()) {
            // The thread holds the lock already. Taking it again would cost as much as the rest of this method.
            bind(target, source, leadsBack, staysPlaced);
            return;
        }
        cell.beginWrite();
        try {
            bind(target, source, leadsBack, staysPlaced);
        } finally {
            cell.endWrite();
        }
    }

    private static void bind(Tensor target, Tensor source, boolean leadsBack, boolean staysPlaced) {
        requireWritable(target, source);
        if (Internals.isWhole(target) && Internals.isWhole(source)) {
            bindWhole(target, source, leadsBack, staysPlaced);
        } else if (isPlain(target, source)) {
            Dispatch.applyInto(Internals.cell(target), new StridedWrite(Internals.layout(target)), source);
        } else {
            bindPart(target, source);
        }
    }

    /** True if the write needs no work for autograd, a mapped function or the search for NaN. */
    private static boolean isPlain(Tensor target, Tensor source) {
        return !(GradMode.isEnabled() && (target.requiresGrad() || source.requiresGrad()))
                && !isMapped(target, source)
                && !AnomalyDetector.isEnabled();
    }

    private static void requireWritable(Tensor target, Tensor source) {
        if (Internals.home(target) != Internals.home(source)) {
            // The op's name is found only for the error, because it walks the stack.
            Dispatch.requireTogether(SourceLine.calledOp(), Internals.home(target), Internals.home(source));
        }
        if (source.dtype() != target.dtype() || !source.shape().equals(target.shape())) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "an in-place result must be as its target, got " + source.type() + " and " + target.type());
        }
        if (GradMode.isEnabled() && Internals.variable(target).isRequiringLeaf()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a leaf that requires gradients cannot be written in place, got "
                            + Internals.cell(target).label()
                            + "; write it inside of GradMode.noGrad, or use the op that makes a new tensor");
        }
        if (Internals.variable(target).writeRefusal() != null) {
            throw new OpException("assign", Internals.variable(target).writeRefusal() + ", got " + target.type());
        }
        if (!Internals.layout(target).isInjective()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a view whose elements share memory cannot be written, got " + Internals.layout(target)
                            + "; clone first");
        }
    }

    private static void bindWhole(Tensor target, Tensor source, boolean leadsBack, boolean staysPlaced) {
        Variable variable = Internals.variable(target);
        if (GradMode.isEnabled()) {
            Edge written = edge(source, rootWithin(target, source));
            Edge before = variable.edge();
            boolean isLost = before != null && !leadsBack;
            variable.computedBy(isLost ? new Edge(new OverwriteNode(before, written), 0) : written);
        }
        Cell cell = variable.cell();
        if (staysPlaced && cell.home().isGroup() && !isMapped(target, source)) {
            // On a group, the op that computes a value decides its placement: a strided write keeps the old one.
            Dispatch.applyInto(cell, new StridedWrite(Internals.layout(target)), source);
        } else {
            cell.bind(Batching.written(cell, source));
        }
    }

    private static boolean isMapped(Tensor target, Tensor source) {
        return Internals.cell(target).batch() != null || Internals.cell(source).batch() != null;
    }

    /** Where gradients of a storage that is seen like that go, or null. */
    private static Edge edge(Tensor storage, Layout root) {
        if (!storage.requiresGrad()) {
            return null;
        }
        try (Tensor seen = Internals.view(storage, root)) {
            return Internals.gradientEdge(seen);
        }
    }

    /** The source's storage seen as the target's root sees its own. */
    private static Layout rootWithin(Tensor target, Tensor source) {
        Layout root = Internals.variable(target).root();
        return root.equals(Internals.layout(target)) ? Internals.layout(source) : root;
    }

    private static void bindPart(Tensor target, Tensor source) {
        Variable variable = Internals.variable(target);
        Cell cell = variable.cell();
        // In the shape of its value: a group could not cut all dimensions of a flat one.
        Tensor storage = Internals.view(target, Layout.contiguous(cell.type().shape()));
        Tensor written = Dispatch.apply(new StridedWrite(Internals.layout(target)), storage, source);
        if (GradMode.isEnabled()) {
            variable.computedBy(edge(written, variable.root()));
        }
        cell.bind(Batching.written(cell, written));
        written.close();
        storage.close();
    }
}

package dev.outpost.internal;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.graph.OverwriteNode;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.internal.vmap.BatchedTensor;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/**
 * Writes through views. The machine computes a new value, and the cell is bound to it. A thread that computes the new value from the
 * target calls {@link Cell#beginWrite} before it reads the target.
 */
public final class InPlace {
    private InPlace() {}

    /**
     * Assigns {@code source} to {@code target}, which changes all views of the target's storage. The source was
     * computed from the target and has its shape and dtype.
     */
    public static void assign(TensorState target, TensorState source) {
        write(target, source, source.requiresGrad(), false);
    }

    /**
     * Like {@link #assign}, but from a source that does not depend on the target: the gradient of the target's old
     * value is zero. On a group of machines the target keeps its placement.
     */
    public static void overwrite(TensorState target, TensorState source) {
        write(target, source, false, true);
    }

    private static void write(TensorState target, TensorState source, boolean leadsBack, boolean staysPlaced) {
        Cell cell = States.cell(target);
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

    private static void bind(TensorState target, TensorState source, boolean leadsBack, boolean staysPlaced) {
        requireWritable(target, source);
        if (States.isWhole(target) && States.isWhole(source)) {
            bindWhole(target, source, leadsBack, staysPlaced);
        } else if (isPlain(target, source)) {
            OpRecording.applyInto(States.cell(target), new StridedWrite(States.layout(target)), source);
        } else {
            bindPart(target, source);
        }
    }

    /** True if the write needs no work for autograd, a mapped function or the search for NaN. */
    private static boolean isPlain(TensorState target, TensorState source) {
        return !(GradMode.isEnabled() && (target.requiresGrad() || source.requiresGrad()))
                && !isMapped(target, source)
                && !AnomalyDetector.isEnabled();
    }

    private static void requireWritable(TensorState target, TensorState source) {
        if (States.home(target) != States.home(source)) {
            // The op's name is found only for the error, because it walks the stack.
            OpRecording.requireTogether(SourceLine.calledOp(), States.home(target), States.home(source));
        }
        if (source.dtype() != target.dtype() || !source.shape().equals(target.shape())) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "an in-place result must be as its target, got " + source.type() + " and " + target.type());
        }
        if (GradMode.isEnabled() && States.variable(target).isRequiringLeaf()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a leaf that requires gradients cannot be written in place, got "
                            + States.cell(target).label()
                            + "; write it inside of GradMode.noGrad, or use the op that makes a new tensor");
        }
        if (States.variable(target).writeRefusal() != null) {
            throw new OpException("assign", States.variable(target).writeRefusal() + ", got " + target.type());
        }
        if (!States.layout(target).isInjective()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a view whose elements share memory cannot be written, got " + States.layout(target)
                            + "; clone first");
        }
    }

    private static void bindWhole(TensorState target, TensorState source, boolean leadsBack, boolean staysPlaced) {
        Variable variable = States.variable(target);
        if (GradMode.isEnabled()) {
            Edge written = edge(source, rootWithin(target, source));
            Edge before = variable.edge();
            boolean isLost = before != null && !leadsBack;
            variable.computedBy(isLost ? new Edge(new OverwriteNode(before, written), 0) : written);
        }
        Cell cell = variable.cell();
        if (staysPlaced && cell.home().isGroup() && !isMapped(target, source)) {
            // On a group, the op that computes a value decides its placement: a strided write keeps the old
            // placement.
            OpRecording.applyInto(cell, new StridedWrite(States.layout(target)), source);
        } else {
            cell.bind(written(cell, source));
        }
    }

    /**
     * Returns the cell that the caller must bind to the target: the source's cell, or inside {@code vmap} a cell with the source's values
     * for all examples. Throws if the source differs between examples and the target does not.
     */
    private static Cell written(Cell target, TensorState source) {
        BatchedTensor into = target.batch();
        BatchedTensor from = States.cell(source).batch();
        if (level(into) == level(from)) {
            return States.cell(source);
        }
        if (into == null || from != null && from.level().isInside(into.level())) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a tensor that is the same for all examples of a mapped function cannot be written in place with one"
                            + " that differs; use the op that makes a new tensor");
        }
        return into.level().written(source);
    }

    private static @Nullable BatchLevel level(@Nullable BatchedTensor batched) {
        return batched == null ? null : batched.level();
    }

    private static boolean isMapped(TensorState target, TensorState source) {
        return States.cell(target).batch() != null || States.cell(source).batch() != null;
    }

    /** Returns the edge for gradients of a storage that is seen with this layout, or null. */
    private static Edge edge(TensorState storage, Layout root) {
        if (!storage.requiresGrad()) {
            return null;
        }
        try (TensorState seen = States.view(storage, root)) {
            return States.gradientEdge(seen);
        }
    }

    /** Returns the layout of the source's storage that corresponds to the target's root. */
    private static Layout rootWithin(TensorState target, TensorState source) {
        Layout root = States.variable(target).root();
        return root.equals(States.layout(target)) ? States.layout(source) : root;
    }

    private static void bindPart(TensorState target, TensorState source) {
        Variable variable = States.variable(target);
        Cell cell = variable.cell();
        // Uses the shape of the value, because a group could not cut a flat storage along the value's dimensions.
        TensorState storage = States.view(target, Layout.contiguous(cell.type().shape()));
        TensorState written = OpRecording.apply(new StridedWrite(States.layout(target)), storage, source);
        if (GradMode.isEnabled()) {
            variable.computedBy(edge(written, variable.root()));
        }
        cell.bind(written(cell, written));
        written.close();
        storage.close();
    }
}

package dev.outpost;

import dev.outpost.client.SourceLine;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Writes through views: the machine sees only new values, and a cell that is bound anew. */
final class InPlace {
    private InPlace() {}

    /**
     * Makes {@code target} and all that shares its storage see {@code source}, which was computed of target and has its
     * shape and dtype.
     */
    static void assign(Tensor target, Tensor source) {
        write(target, source, source.requiresGrad());
    }

    /** As {@link #assign}, of a source that was not computed of target: autograd sees zeros for what was there. */
    static void overwrite(Tensor target, Tensor source) {
        write(target, source, false);
    }

    private static void write(Tensor target, Tensor source, boolean leadsBack) {
        requireWritable(target, source);
        if (target.isWhole() && source.isWhole()) {
            bindWhole(target, source, leadsBack);
        } else {
            bindPart(target, source);
        }
    }

    private static void requireWritable(Tensor target, Tensor source) {
        Dispatch.requireTogether(SourceLine.calledOp(), target.home(), source.home());
        if (!source.type().equals(target.type())) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "an in-place result must be as its target, got " + source.type() + " and " + target.type());
        }
        if (GradMode.isEnabled() && target.variable().isRequiringLeaf()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a leaf that requires gradients cannot be written in place, got "
                            + target.cell().label()
                            + "; write it inside of GradMode.noGrad, or use the op that makes a new tensor");
        }
        if (target.variable().writeRefusal() != null) {
            throw new OpException("assign", target.variable().writeRefusal() + ", got " + target.type());
        }
        if (!target.layout().isInjective()) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a view whose elements share memory cannot be written, got " + target.layout() + "; clone first");
        }
    }

    private static void bindWhole(Tensor target, Tensor source, boolean leadsBack) {
        Variable variable = target.variable();
        if (GradMode.isEnabled()) {
            Edge written = edge(source, rootWithin(target, source));
            Edge before = variable.edge();
            boolean isLost = before != null && !leadsBack;
            variable.computedBy(isLost ? new Edge(new OverwriteNode(before, written), 0) : written);
        }
        variable.cell().bind(source.cell());
    }

    /** Where gradients of a storage that is seen like that go, or null. */
    private static Edge edge(Tensor storage, Layout root) {
        if (!storage.requiresGrad()) {
            return null;
        }
        try (Tensor seen = storage.view(root)) {
            return seen.gradientEdge();
        }
    }

    /** The source's storage seen as the target's root sees its own. */
    private static Layout rootWithin(Tensor target, Tensor source) {
        Layout root = target.variable().root();
        return root.equals(target.layout()) ? source.layout() : root;
    }

    private static void bindPart(Tensor target, Tensor source) {
        Variable variable = target.variable();
        Cell cell = variable.cell();
        Tensor storage = target.view(Layout.contiguous(Shape.of(cell.elements())));
        Tensor written = Dispatch.apply(new StridedWrite(target.layout()), storage, source);
        if (GradMode.isEnabled()) {
            variable.computedBy(edge(written, variable.root()));
        }
        cell.bind(written.cell());
        written.close();
        storage.close();
    }
}

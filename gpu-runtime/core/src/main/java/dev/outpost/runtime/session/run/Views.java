package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;

/** Views of values. They are described over contiguous elements, so a strided value is copied first. */
public final class Views {
    private final SegmentRunner runner;

    public Views(SegmentRunner runner) {
        this.runner = runner;
    }

    /** @param listener hears how long a copy took, where one was made; may be null */
    public Value.Present view(Value.Present base, Layout layout, KernelTimeListener listener)
            throws InterruptedException {
        if (!base.array().layout().isContiguous()) {
            return viewOfCopy(base, layout, listener);
        }
        if (listener != null) {
            listener.ran(0);
        }
        return viewOfDense(base, layout);
    }

    private static Value.Present viewOfDense(Value.Present base, Layout layout) {
        long offset = base.array().layout().offset() + layout.offset();
        Layout composed = Layout.of(layout.shape(), layout.strides(), offset);
        return new Value.Present(
                new Array(base.storage().buffer(), composed), base.storage().retain());
    }

    private Value.Present viewOfCopy(Value.Present base, Layout layout, KernelTimeListener listener)
            throws InterruptedException {
        Kernel copy = runner.plan(copyOf(base.type())).tasks().getFirst().kernel();
        runner.awaitTurn();
        RefCountedStorage storage = runner.allocate(base.type());
        Array target = Array.contiguous(storage.buffer(), base.type().shape());
        try {
            runner.launches().run(copy, Unary.COPY, new Array[] {base.array()}, new Array[] {target}, listener);
            return viewOfDense(new Value.Present(target, storage), layout);
        } finally {
            // The view is an owner of its own.
            storage.release();
        }
    }

    private static Graph copyOf(TensorType type) {
        GraphBuilder copy = new GraphBuilder(type);
        copy.add(Unary.COPY, 0);
        return copy.build();
    }
}

package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.Layout;
import dev.outpost.types.TensorType;

/** Creates views of values. A view is described over contiguous elements, so a strided value is copied first. */
final class Views {
    private final SessionMemory memory;
    private final KernelLauncher launcher;
    private final SessionPlans plans;

    Views(SessionMemory memory, KernelLauncher launcher, SessionPlans plans) {
        this.memory = memory;
        this.launcher = launcher;
        this.plans = plans;
    }

    Value.Present view(Instruction instruction, Value.Present base, Layout layout) throws InterruptedException {
        memory.requireHoldable(layout.shape());
        if (!base.array().layout().isContiguous()) {
            return viewOfCopy(instruction, base, layout);
        }
        launcher.observer().ranAlone(instruction, 0);
        return compose(base, layout);
    }

    /** Returns a view of contiguous elements. */
    Value.Present viewOfDense(Value.Present base, Layout layout) {
        memory.requireHoldable(layout.shape());
        return compose(base, layout);
    }

    private static Value.Present compose(Value.Present base, Layout layout) {
        long offset = base.array().layout().offset() + layout.offset();
        Layout composed = Layout.of(layout.shape(), layout.strides(), offset);
        return new Value.Present(
                new Array(base.storage().buffer(), composed), base.storage().retain());
    }

    private Value.Present viewOfCopy(Instruction instruction, Value.Present base, Layout layout)
            throws InterruptedException {
        Kernel copy = plans.storing(copyOf(base.type())).tasks().getFirst().kernel();
        launcher.awaitTurn();
        RefCountedStorage storage = memory.allocate(base.type());
        Array target = Array.contiguous(storage.buffer(), base.type().shape());
        try {
            launcher.launch(copy, Unary.COPY, new Array[] {base.array()}, new Array[] {target}, instruction);
            return compose(new Value.Present(target, storage), layout);
        } finally {
            // The view has a separate owner.
            storage.release();
        }
    }

    private static Graph copyOf(TensorType type) {
        GraphBuilder copy = new GraphBuilder(type);
        copy.add(Unary.COPY, 0);
        return copy.build();
    }
}

package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.memory.Array;

/** A kernel for an expression. The accesses to its operands, and so its code, are only known when it runs. */
public final class LoopKernel implements GeneratedKernel {
    private final Elementwise elementwise;
    private final Expression expression;
    /** The latest run. If several threads run the kernel at the same time, this may be any of their runs. */
    private MapRun latest;

    public LoopKernel(Elementwise elementwise, Expression expression) {
        this.elementwise = elementwise;
        this.expression = expression;
    }

    @Override
    public void run(Op op, Array[] operands, Array[] results) {
        if (expression.isCopy() && results.length == 1) {
            elementwise.copy(operands[0], results[0]);
        } else if (!results[0].shape().isEmpty()) {
            prepared(operands, results).run(elementwise.workers(), operands, results);
        }
    }

    private MapRun prepared(Array[] operands, Array[] results) {
        MapRun before = latest;
        if (before != null && before.fits(operands, results)) {
            return before;
        }
        MapRun prepared = elementwise.prepare(expression, operands, results);
        latest = prepared;
        return prepared;
    }

    @Override
    public String listing() {
        MapRun ran = latest;
        return ran == null ? "" : elementwise.listing(ran.source());
    }
}

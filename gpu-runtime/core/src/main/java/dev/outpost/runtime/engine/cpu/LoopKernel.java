package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.memory.Array;

/** An expression as a kernel. How it walks its operands, and so its code, is known when it is run. */
final class LoopKernel implements GeneratedKernel {
    private final Elementwise elementwise;
    private final Expression expression;
    /** Of the latest run; any of several at once will do. */
    private PreparedLoop latest;

    LoopKernel(Elementwise elementwise, Expression expression) {
        this.elementwise = elementwise;
        this.expression = expression;
    }

    @Override
    public void run(Op op, Array[] operands, Array[] results) {
        if (expression.isCopy() && results.length == 1) {
            elementwise.copy(operands[0], results[0]);
        } else {
            latest = elementwise.run(expression, latest, results, operands);
        }
    }

    @Override
    public String listing() {
        PreparedLoop ran = latest;
        return ran == null ? "" : elementwise.listing(ran.source());
    }
}

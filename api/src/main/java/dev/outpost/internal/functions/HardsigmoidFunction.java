package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;

/** x + 3 between 0 and 6, divided by 6; its slope is 1/6 strictly between the bends, and 0 elsewhere and at NaN. */
public final class HardsigmoidFunction extends ElementwiseFunction {
    @Override
    public Tensor value(Tensor x) {
        return x.add(3).relu6().div(6);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        return Gradients.masked(x.abs().lt(3), ofResult.div(6));
    }
}

package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.Ternary;

/** Numbers in place of NaN and the infinities; its slope is 0 there, which makes NaN of what is not finite, and 1 elsewhere. */
public final class NanToNum extends LibraryFunction {
    private final Number nan;
    private final Number posInf;
    private final Number negInf;

    public NanToNum(Number nan, Number posInf, Number negInf) {
        this.nan = nan;
        this.posInf = posInf;
        this.negInf = negInf;
    }

    public Tensor of(Tensor x) {
        return apply(x)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> numbers(inputs[0]))};
    }

    private Tensor numbers(Tensor x) {
        Tensor numbers = replaced(x, x.isnan(), nan);
        Tensor bounded = replaced(numbers, x.eq(Double.POSITIVE_INFINITY), posInf);
        return replaced(bounded, x.eq(Double.NEGATIVE_INFINITY), negInf);
    }

    private static Tensor replaced(Tensor tensor, Tensor mask, Number value) {
        return Dispatch.apply(Ternary.WHERE, mask, Operand.of(value).cast(tensor.dtype()), tensor);
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        return new Tensor[] {Scope.tidy(() -> gradients[0].mul(context.saved(0).isfinite()))};
    }
}

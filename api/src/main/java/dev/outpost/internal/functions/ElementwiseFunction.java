package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Numerics;

/** A function of each element by itself, with a rule of its own for how gradients go back. */
public abstract class ElementwiseFunction extends LibraryFunction {
    /** The function, by tensor ops; in float32 at least, so that what cancels keeps its digits. */
    public abstract Tensor value(Tensor x);

    /** The gradient of x from that of the result, by tensor ops that can be differentiated in turn. */
    public abstract Tensor gradient(Tensor x, Tensor ofResult);

    public Tensor of(Tensor x) {
        return apply(x)[0];
    }

    @Override
    protected final Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> value(Numerics.wide(inputs[0])).to(Numerics.resultDType(inputs[0])))};
    }

    @Override
    protected final Tensor[] backward(Context context, Tensor... gradients) {
        Tensor x = context.saved(0);
        return new Tensor[] {
            Scope.tidy(() ->
                    gradient(Numerics.wide(x), Numerics.wide(gradients[0])).to(x.dtype()))
        };
    }
}

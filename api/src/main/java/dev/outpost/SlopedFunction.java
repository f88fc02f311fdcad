package dev.outpost;

/**
 * A function of each element by itself, whose gradient is that of its result times one slope. The chain rule would keep a factor for
 * each step of the function; the slope follows from what forward sees, so a kernel of forward can leave it in place of them all.
 */
abstract class SlopedFunction extends LibraryFunction {
    /** The function, by tensor ops; in float32 at least, so that what cancels keeps its digits. */
    abstract Tensor value(Tensor x);

    /** Its derivative, by tensor ops that can be differentiated in turn. */
    abstract Tensor slope(Tensor x);

    Tensor of(Tensor x) {
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
                    Numerics.wide(gradients[0]).mul(slope(Numerics.wide(x))).to(x.dtype()))
        };
    }
}

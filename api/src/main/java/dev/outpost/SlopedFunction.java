package dev.outpost;

/**
 * A function of each element by itself, whose gradient is that of its result times one slope. The chain rule would keep a factor for
 * each step of the function; the slope follows from what forward sees, so a kernel of forward can leave it in place of them all.
 */
abstract class SlopedFunction extends LibraryFunction {
    /** The function, by tensor ops. */
    abstract Tensor value(Tensor x);

    /** Its derivative, by tensor ops that can be differentiated in turn. */
    abstract Tensor slope(Tensor x);

    Tensor of(Tensor x) {
        return apply(x)[0];
    }

    @Override
    protected final Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> value(inputs[0]))};
    }

    @Override
    protected final Tensor[] backward(Context context, Tensor... gradients) {
        return new Tensor[] {Scope.tidy(() -> gradients[0].mul(slope(context.saved(0))))};
    }
}

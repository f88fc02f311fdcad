package dev.outpost;

/** √Σ x² of dimensions, which it keeps with size 1; its gradient is x / norm, and 0 where the norm is 0. */
final class EuclideanNorm extends LibraryFunction {
    private final int[] dims;

    private EuclideanNorm(int[] dims) {
        this.dims = dims;
    }

    static Tensor of(Tensor x, int... dims) {
        return new EuclideanNorm(dims).apply(x)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> inputs[0].square().sum(true, dims).sqrt())};
    }

    /** The norm is computed once more, so that gradients of the gradient go through it. */
    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor x = context.saved(0);
        return new Tensor[] {
            Scope.tidy(() -> {
                Tensor norm = of(x, dims);
                return gradients[0].mul(x.div(norm).maskedFill(norm.eq(0), 0));
            })
        };
    }
}

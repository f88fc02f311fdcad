package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** a × b of vectors along a dimension; its gradients are b × g and g × a, so those of a × a cancel to the last bit. */
public final class CrossProduct extends LibraryFunction {
    private final int dim;

    public CrossProduct(int dim) {
        this.dim = dim;
    }

    public Tensor of(Tensor a, Tensor b) {
        return apply(a, b)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> product(inputs[0], inputs[1]))};
    }

    private Tensor product(Tensor a, Tensor b) {
        return next(a, 1).mul(next(b, 2)).sub(next(a, 2).mul(next(b, 1)));
    }

    private Tensor next(Tensor vectors, long places) {
        return vectors.roll(-places, dim);
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor a = context.saved(0);
        Tensor b = context.saved(1);
        Tensor g = gradients[0];
        return new Tensor[] {
            Scope.tidy(() -> of(b, g).sumToSize(a.shape())), Scope.tidy(() -> of(g, a).sumToSize(b.shape()))
        };
    }
}

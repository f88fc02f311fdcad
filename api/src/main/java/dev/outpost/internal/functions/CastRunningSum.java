package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.DType;

/** Running sums of elements cast to a dtype; those of the gradient, from the back, are taken in the dtype that x has. */
public final class CastRunningSum extends LibraryFunction {
    private final int axis;
    private final DType dtype;

    private CastRunningSum(int axis, DType dtype) {
        this.axis = axis;
        this.dtype = dtype;
    }

    public static Tensor of(Tensor x, int axis, DType dtype) {
        return new CastRunningSum(axis, dtype).apply(x)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.attach(inputs[0].dtype());
        return new Tensor[] {Scope.tidy(() -> inputs[0].to(dtype).cumsum(axis))};
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        DType ofInput = (DType) context.attachment();
        return new Tensor[] {
            Scope.tidy(() -> gradients[0].to(ofInput).flip(axis).cumsum(axis).flip(axis))
        };
    }
}

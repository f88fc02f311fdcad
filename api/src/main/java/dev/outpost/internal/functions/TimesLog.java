package dev.outpost.internal.functions;

import dev.outpost.internal.Recording;
import dev.outpost.internal.States;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Operand;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;

/**
 * x · log(shift + y), 0 where x is 0 unless y is NaN. By the chain rule the gradients would be what is left where x is 0;
 * these are PyTorch's: that of x is the logarithm there, too, but where y is beyond the logarithm's domain.
 */
public final class TimesLog extends LibraryFunction {
    public static final TimesLog OF_OTHER = new TimesLog(0);
    public static final TimesLog OF_ONE_PLUS_OTHER = new TimesLog(1);

    private final int shift;

    private TimesLog(int shift) {
        this.shift = shift;
    }

    public Tensor of(Tensor x, Tensor y) {
        DType dtype = Recording.floatingType(x, y);
        return Scope.tidy(() -> apply(x.to(dtype), y.to(dtype))[0]);
    }

    public Tensor of(Tensor x, Number y) {
        Operand.Immediate number = Operand.of(y);
        DType dtype = Recording.floatingType(x, number);
        Scalar scalar = number.scalar().to(dtype);
        return Scope.tidy(() -> apply(x.to(dtype), Creation.full(States.home(x), Shape.SCALAR, scalar))[0]);
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> value(inputs[0], inputs[1]))};
    }

    private Tensor value(Tensor x, Tensor y) {
        Tensor isZero = x.eq(0).logicalAnd(y.eq(y));
        Tensor log = shift == 0 ? y.log() : y.log1p();
        return x.mul(log).maskedFill(isZero, 0);
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor x = context.saved(0);
        Tensor y = context.saved(1);
        Tensor isBeyond = x.eq(0).logicalAnd(y.le(-shift));
        Tensor ofX = apply(gradients[0], y)[0].maskedFill(isBeyond, 0);
        Tensor ofY = gradients[0].mul(x).div(shift == 0 ? y : y.add(shift));
        return new Tensor[] {ofX.sumToSize(x.shape()), ofY.sumToSize(y.shape())};
    }
}

package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/**
 * scale · x where x is positive, scale · alpha · (exp(x · inputScale) - 1) elsewhere; the exponential linear units are these. The
 * slope is that of the exponential itself: exp(x) - 1 keeps no digit of a small exp(x) to add 1 to.
 */
public final class Elu extends ElementwiseFunction {
    private final double alpha;
    private final double scale;
    private final double inputScale;

    public Elu(double alpha, double scale, double inputScale) {
        this.alpha = alpha;
        this.scale = scale;
        this.inputScale = inputScale;
    }

    @Override
    public Tensor value(Tensor x) {
        return x.mul(scale)
                .where(
                        positiveOrNanMask(x),
                        exponent(x, positiveOrNanMask(x)).expm1().mul(alpha).mul(scale));
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        // At 0 the first derivative is that of the exponential, and the second derivative is 0, as in PyTorch.
        Tensor elsewhere = ofResult.mul(exponent(x, x.lt(0).logicalNot()).exp().mul(alpha * scale * inputScale));
        return ofResult.mul(scale).where(positiveOrNanMask(x), elsewhere);
    }

    private Tensor exponent(Tensor x, Tensor isLeftOut) {
        return x.maskedFill(isLeftOut, 0).mul(inputScale);
    }

    /** NaN goes with what is positive, as it is and with its gradient. */
    private static Tensor positiveOrNanMask(Tensor x) {
        return x.le(0).logicalNot();
    }
}

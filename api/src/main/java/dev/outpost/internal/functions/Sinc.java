package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;

/** sin(πx) / (πx), and 1 at 0; its derivative is (πx · cos(πx) - sin(πx)) / (πx²), and 0 where the dtype has no number πx² but 0. */
public final class Sinc extends ElementwiseFunction {
    @Override
    public Tensor value(Tensor x) {
        Tensor isZero = x.eq(0);
        Tensor angle = x.maskedFill(isZero, 1).mul(Math.PI);
        return angle.sin().div(angle).maskedFill(isZero, 1);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        Tensor isZero = x.mul(x).mul(Math.PI).eq(0);
        Tensor away = x.maskedFill(isZero, 1);
        Tensor angle = away.mul(Math.PI);
        Tensor slope =
                angle.mul(angle.cos()).sub(angle.sin()).div(away.mul(away).mul(Math.PI));
        return Gradients.maskedOut(isZero, ofResult.mul(slope));
    }
}

package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.Binary;

/** log(σ(x)), as min(x, 0) - log(1 + exp(-|x|)); its derivative is σ(-x). */
public final class LogSigmoidFunction extends ActivationWithDerivative {
    @Override
    public Tensor value(Tensor x) {
        Tensor linear = Dispatch.binary(Binary.MINIMUM, x, Operand.of(0));
        return linear.sub(x.abs().neg().exp().log1p());
    }

    @Override
    public Tensor slope(Tensor x) {
        return x.neg().sigmoid();
    }
}

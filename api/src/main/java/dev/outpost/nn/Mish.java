package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · tanh(softplus(x)) (Misra, 2019) (torch.nn.Mish). */
public final class Mish extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.mish();
    }
}

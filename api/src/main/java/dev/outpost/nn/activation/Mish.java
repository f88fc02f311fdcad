package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** x · tanh(softplus(x)) (Misra, 2019) (torch.nn.Mish). */
public final class Mish extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.mish();
    }
}

package dev.outpost.nn;

import dev.outpost.Tensor;

/** x · tanh(softplus(x)) (Misra, 2019) (torch.nn.Mish). */
public final class Mish extends FunctionLayer {
    public Mish() {
        super(Tensor::mish);
    }
}

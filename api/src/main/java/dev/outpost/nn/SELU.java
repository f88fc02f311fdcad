package dev.outpost.nn;

import dev.outpost.Tensor;

/** Scaled exponential linear units, which keep mean 0 and variance 1 (Klambauer et al., 2017) (torch.nn.SELU). */
public final class SELU extends FunctionLayer {
    public SELU() {
        super(Tensor::selu);
    }
}

package dev.outpost.nn;

import dev.outpost.Tensor;

/** (x + 3) / 6 between 0 and 1 (torch.nn.Hardsigmoid). */
public final class Hardsigmoid extends FunctionLayer {
    public Hardsigmoid() {
        super(Tensor::hardsigmoid);
    }
}

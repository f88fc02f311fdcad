package dev.outpost.nn;

import dev.outpost.Tensor;

/** x - tanh(x) (torch.nn.Tanhshrink). */
public final class Tanhshrink extends FunctionLayer {
    public Tanhshrink() {
        super(Tensor::tanhshrink);
    }
}

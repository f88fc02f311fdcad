package dev.outpost.nn;

import dev.outpost.Tensor;

/** x - tanh(x) (torch.nn.Tanhshrink). */
public final class Tanhshrink extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.tanhshrink();
    }
}

package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** x - tanh(x) (torch.nn.Tanhshrink). */
public final class Tanhshrink extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.tanhshrink();
    }
}

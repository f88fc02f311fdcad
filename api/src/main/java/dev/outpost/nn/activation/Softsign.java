package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** x / (1 + |x|) (torch.nn.Softsign). */
public final class Softsign extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.softsign();
    }
}

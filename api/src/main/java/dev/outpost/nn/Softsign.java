package dev.outpost.nn;

import dev.outpost.Tensor;

/** x / (1 + |x|) (torch.nn.Softsign). */
public final class Softsign extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.softsign();
    }
}

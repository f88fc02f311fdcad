package dev.outpost.nn;

import dev.outpost.Tensor;

/** x / (1 + |x|) (torch.nn.Softsign). */
public final class Softsign extends FunctionLayer {
    public Softsign() {
        super(Tensor::softsign);
    }
}

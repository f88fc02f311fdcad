package dev.outpost.nn;

import dev.outpost.Tensor;

/** x between 0 and 6 (torch.nn.ReLU6). */
public final class ReLU6 extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.relu6();
    }
}

package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** x between 0 and 6 (torch.nn.ReLU6). */
public final class ReLU6 extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.relu6();
    }
}

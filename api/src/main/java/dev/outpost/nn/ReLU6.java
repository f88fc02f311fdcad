package dev.outpost.nn;

import dev.outpost.Tensor;

/** x between 0 and 6 (torch.nn.ReLU6). */
public final class ReLU6 extends FunctionLayer {
    public ReLU6() {
        super(Tensor::relu6);
    }
}

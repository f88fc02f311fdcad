package dev.outpost.nn;

import dev.outpost.Tensor;

/** x times its hard sigmoid (Howard et al., 2019) (torch.nn.Hardswish). */
public final class Hardswish extends FunctionLayer {
    public Hardswish() {
        super(Tensor::hardswish);
    }
}

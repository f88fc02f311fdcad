package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** 1 / (1 + exp(-x)), elementwise. */
public final class Sigmoid extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.sigmoid();
    }
}

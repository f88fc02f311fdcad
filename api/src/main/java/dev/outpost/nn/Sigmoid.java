package dev.outpost.nn;

import dev.outpost.Tensor;

/** 1 / (1 + exp(-x)), elementwise. */
public final class Sigmoid extends FunctionLayer {
    public Sigmoid() {
        super(Tensor::sigmoid);
    }
}

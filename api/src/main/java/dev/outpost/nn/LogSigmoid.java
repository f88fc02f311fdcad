package dev.outpost.nn;

import dev.outpost.Tensor;

/** The logarithm of the sigmoid (torch.nn.LogSigmoid). */
public final class LogSigmoid extends FunctionLayer {
    public LogSigmoid() {
        super(Tensor::logsigmoid);
    }
}

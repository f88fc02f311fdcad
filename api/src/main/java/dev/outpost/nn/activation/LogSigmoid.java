package dev.outpost.nn.activation;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;

/** The logarithm of the sigmoid (torch.nn.LogSigmoid). */
public final class LogSigmoid extends Module {
    @Override
    public Tensor forward(Tensor input) {
        return input.logsigmoid();
    }
}

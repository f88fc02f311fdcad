package dev.outpost.nn;

import java.util.function.DoubleUnaryOperator;

/** The function after a layer, on which the variance of the layer's weights depends (torch.nn.init.calculate_gain). */
public enum Nonlinearity {
    LINEAR(slope -> 1),
    SIGMOID(slope -> 1),
    TANH(slope -> 5.0 / 3),
    RELU(slope -> Math.sqrt(2)),
    /** The only nonlinearity whose slope matters. */
    LEAKY_RELU(slope -> Math.sqrt(2 / (1 + slope * slope))),
    SELU(slope -> 3.0 / 4);

    private final DoubleUnaryOperator gain;

    Nonlinearity(DoubleUnaryOperator gain) {
        this.gain = gain;
    }

    /**
     * Returns the factor by which weights are larger than the weights of a linear layer.
     *
     * @param slope the slope for negative inputs of {@link #LEAKY_RELU}
     */
    public double gain(double slope) {
        return gain.applyAsDouble(slope);
    }
}

package dev.outpost.nn;

import dev.outpost.Tensor;

/** x if it is positive, else a learned factor times x (He et al., 2015; torch.nn.PReLU). */
public final class PReLU extends Module {
    private final long parameters;
    private final Parameter weight;

    /** Creates a layer with one factor, which begins as 0.25. */
    public PReLU() {
        this(1, 0.25);
    }

    /**
     * Creates a layer with factors for channels.
     *
     * @param parameters 1, or the size of dimension 1
     * @param first the first value of the factors
     */
    public PReLU(long parameters, double first) {
        this.parameters = parameters;
        weight = parameter("weight", Init.constant(first), parameters);
    }

    /** Returns the factors, {@code [parameters]}. */
    public Parameter weight() {
        return weight;
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.prelu(weight.tensor());
    }

    @Override
    protected String settings() {
        return "num_parameters=" + parameters;
    }
}

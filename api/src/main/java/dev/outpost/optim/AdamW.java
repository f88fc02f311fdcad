package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Adam with weight decay that is separate from the gradient (Loshchilov and Hutter, 2019; torch.optim.AdamW). */
public final class AdamW extends AdaptiveMoments<AdamW> {
    private static final double DEFAULT_WEIGHT_DECAY = 0.01;
    /** Uses PyTorch's learning rate, 1e-3. */
    public AdamW(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    /**
     * Puts all parameters into one group, with betas of 0.9 and 0.999, an eps of 1e-8 and a weight decay of 1e-2.
     *
     * {@snippet file="TrainingExamplesTest.java" region="adamW"}
     */
    public AdamW(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, DEFAULT_WEIGHT_DECAY));
    }

    public AdamW(ParameterGroup... groups) {
        super(groups);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        decay(group, state, parameter);
        adapt(group, state, parameter, ascent(group, gradient));
    }
}

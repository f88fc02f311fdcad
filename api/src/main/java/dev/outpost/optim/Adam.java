package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Adam (Kingma and Ba, 2015; torch.optim.Adam). Weight decay is added to the gradient; see {@link AdamW}. */
public final class Adam extends AdaptiveMoments<Adam> {
    /** Uses PyTorch's learning rate, 1e-3. */
    public Adam(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    /**
     * Puts all parameters into one group, with betas of 0.9 and 0.999 and an eps of 1e-8.
     *
     * {@snippet file="TrainingExamplesTest.java" region="adam"}
     */
    public Adam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adam(ParameterGroup... groups) {
        super(groups);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        adapt(group, state, parameter, decayed(group, parameter, gradient));
    }
}

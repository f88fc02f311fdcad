package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * The common update of Adam and AdamW, which differ in the use of the weight decay.
 *
 * @param <O> the optimizer itself, which every setter returns
 */
public abstract class AdaptiveMoments<O extends AdaptiveMoments<O>> extends AdamOptimizer<O> {
    private static final String LARGEST_SQUARES = "max_exp_avg_sq";
    private static final String AMSGRAD = "amsgrad";
    private static final Map<String, Double> DEFAULTS = defaultsAnd(Map.of(AMSGRAD, 0.0));

    AdaptiveMoments(ParameterGroup... groups) {
        super(groups);
    }

    /** Makes it divide by the largest average of squares so far (Reddi et al., 2018). */
    public final O amsgrad() {
        return set(AMSGRAD, 1);
    }

    @Override
    protected final Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected final Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return isSet(group, AMSGRAD) ? zeros(shape, AVERAGE, SQUARES, LARGEST_SQUARES) : zeros(shape, AVERAGE, SQUARES);
    }

    final void adapt(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        average(group, state, gradient);
        Tensor squares = state.tensor(SQUARES);
        Tensor root = (isSet(group, AMSGRAD) ? largest(state, squares) : squares).sqrt();
        Number rootOfCorrection = state.number(
                List.of(group, "root"), step -> Math.sqrt(1 - Math.pow(option(group, Options.BETA2), step)));
        Number rate = state.number(
                List.of(group, "rate"),
                step -> -group.learningRate() / (1 - Math.pow(option(group, Options.BETA1), step)));
        parameter.addcdiv_(state.tensor(AVERAGE), root.div(rootOfCorrection).add(option(group, Options.EPS)), rate);
    }

    private static Tensor largest(ParameterState state, Tensor squares) {
        Tensor largest = state.tensor(LARGEST_SQUARES);
        largest.copy_(largest.maximum(squares));
        return largest;
    }
}

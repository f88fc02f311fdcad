package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** The update that Adam and AdamW have in common; they differ in where the weight decay goes. */
final class AdaptiveMoments {
    static final String AVERAGE = "exp_avg";
    static final String SQUARES = "exp_avg_sq";
    static final String LARGEST_SQUARES = "max_exp_avg_sq";
    static final String AMSGRAD = "amsgrad";

    private AdaptiveMoments() {}

    static Map<String, Remembered> memory(Optimizer optimizer, ParameterGroup group, Shape shape) {
        return optimizer.isSet(group, AMSGRAD)
                ? Optimizer.zeros(shape, AVERAGE, SQUARES, LARGEST_SQUARES)
                : Optimizer.zeros(shape, AVERAGE, SQUARES);
    }

    static void update(
            Optimizer optimizer, ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        double beta1 = optimizer.option(group, Options.BETA1);
        double beta2 = optimizer.option(group, Options.BETA2);
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(gradient, 1 - beta1);
        Tensor squares = state.tensor(SQUARES);
        squares.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        Tensor root = (optimizer.isSet(group, AMSGRAD) ? largest(state, squares) : squares).sqrt();
        Number rootOfCorrection = state.number(
                List.of(group, "root"), step -> Math.sqrt(1 - Math.pow(optimizer.option(group, Options.BETA2), step)));
        Number rate = state.number(
                List.of(group, "rate"),
                step -> -group.learningRate() / (1 - Math.pow(optimizer.option(group, Options.BETA1), step)));
        parameter.addcdiv_(average, root.div(rootOfCorrection).add(optimizer.option(group, Options.EPS)), rate);
    }

    private static Tensor largest(ParameterState state, Tensor squares) {
        Tensor largest = state.tensor(LARGEST_SQUARES);
        largest.copy_(largest.maximum(squares));
        return largest;
    }
}

package dev.outpost.optim;

import dev.outpost.Tensor;
import java.util.List;

/** The update that Adam and AdamW have in common; they differ in where the weight decay goes. */
final class AdaptiveMoments {
    static final String AVERAGE = "exp_avg";
    static final String SQUARES = "exp_avg_sq";
    static final String LARGEST_SQUARES = "max_exp_avg_sq";

    private double beta1 = 0.9;
    private double beta2 = 0.999;
    private double eps = 1e-8;
    private boolean amsgrad;

    void betas(double newBeta1, double newBeta2) {
        beta1 = Settings.fraction("first beta", newBeta1);
        beta2 = Settings.fraction("second beta", newBeta2);
    }

    void eps(double newEps) {
        eps = Settings.atLeastZero("eps", newEps);
    }

    void amsgrad() {
        amsgrad = true;
    }

    Object settings() {
        return List.of(beta1, beta2, eps, amsgrad);
    }

    void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(gradient, 1 - beta1);
        Tensor squares = state.tensor(SQUARES);
        squares.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        Tensor root = (amsgrad ? largest(state, squares) : squares).sqrt();
        Number rootOfCorrection = state.number(List.of(this, "root"), step -> Math.sqrt(1 - Math.pow(beta2, step)));
        Number rate =
                state.number(List.of(this, group, "rate"), step -> -group.learningRate() / (1 - Math.pow(beta1, step)));
        parameter.addcdiv_(average, root.div(rootOfCorrection).add(eps), rate);
    }

    private static Tensor largest(ParameterState state, Tensor squares) {
        Tensor largest = state.tensor(LARGEST_SQUARES);
        largest.copy_(largest.maximum(squares));
        return largest;
    }
}

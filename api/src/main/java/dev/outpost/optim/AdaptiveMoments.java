package dev.outpost.optim;

import dev.outpost.Tensor;
import java.util.List;

/** The update that Adam and AdamW have in common; they differ in where the weight decay goes. */
final class AdaptiveMoments {
    static final String AVERAGE = "exp_avg";
    static final String SQUARES = "exp_avg_sq";
    static final String LARGEST_SQUARES = "max_exp_avg_sq";

    private Betas betas = new Betas(0.9, 0.999);
    private double eps = 1e-8;
    private boolean amsgrad;

    void betas(double first, double second) {
        betas = new Betas(first, second);
    }

    void eps(double newEps) {
        eps = Settings.atLeastZero("eps", newEps);
    }

    void amsgrad() {
        amsgrad = true;
    }

    Object settings() {
        return List.of(betas, eps, amsgrad);
    }

    void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(gradient, 1 - betas(group).first());
        Tensor squares = state.tensor(SQUARES);
        double beta2 = betas(group).second();
        squares.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
        Tensor root = (amsgrad ? largest(state, squares) : squares).sqrt();
        Number rootOfCorrection = state.number(
                List.of(this, group, "root"),
                step -> Math.sqrt(1 - Math.pow(betas(group).second(), step)));
        Number rate = state.number(
                List.of(this, group, "rate"),
                step -> -group.learningRate() / (1 - Math.pow(betas(group).first(), step)));
        double denominatorEps = group.eps().orElse(eps);
        parameter.addcdiv_(average, root.div(rootOfCorrection).add(denominatorEps), rate);
    }

    private Betas betas(ParameterGroup group) {
        return group.betas().orElse(betas);
    }

    private static Tensor largest(ParameterState state, Tensor squares) {
        Tensor largest = state.tensor(LARGEST_SQUARES);
        largest.copy_(largest.maximum(squares));
        return largest;
    }
}

package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.nn.Parameter;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.Objects;

/** Keeps gradients from growing too large. Call it between backward and the optimizer's step (torch.nn.utils.clip_grad). */
public final class GradientClipping {
    private static final double EPS = 1e-6;

    private GradientClipping() {}

    /**
     * Same as {@link #clipGradNorm(List, double, double)} with the Euclidean norm.
     *
     * {@snippet file="TrainingExamplesTest.java" region="clipGradNorm"}
     *
     * @return the norm before, a scalar on the machine
     */
    public static Tensor clipGradNorm(List<Parameter> parameters, double maxNorm) {
        return clipGradNorm(parameters, maxNorm, 2);
    }

    /**
     * Scales all gradients alike so that the norm of all their elements together is at most {@code maxNorm}. Does not wait: the machine
     * decides whether to scale.
     *
     * @param normType p of the p-norm, above 0; may be infinite
     * @return the norm before, a scalar on the machine
     */
    public static Tensor clipGradNorm(List<Parameter> parameters, double maxNorm, double normType) {
        if (!(normType > 0)) {
            throw new OpException("clip_grad_norm", "the norm's type must be above 0, got " + normType);
        }
        List<Tensor> gradients = gradients(parameters);
        if (gradients.isEmpty()) {
            throw new OpException("clip_grad_norm", "no parameter has a gradient, got " + parameters.size());
        }
        Tensor total = GradMode.noGrad(() -> scale(gradients, maxNorm, normType));
        gradients.forEach(Tensor::close);
        return total;
    }

    private static Tensor scale(List<Tensor> gradients, double maxNorm, double normType) {
        Tensor total = norm(gradients, normType);
        Tensor factor = total.add(EPS).reciprocal().mul(maxNorm).clampMax(1);
        gradients.forEach(gradient -> gradient.mul_(factor));
        return total;
    }

    private static Tensor norm(List<Tensor> gradients, double p) {
        if (Double.isInfinite(p)) {
            return gradients.stream()
                    .map(gradient -> gradient.abs().amax())
                    .reduce(Tensor::maximum)
                    .orElseThrow();
        }
        Tensor sum = gradients.stream()
                .map(gradient -> power(gradient, p).sum())
                .reduce(Tensor::add)
                .orElseThrow();
        return p == 2 ? sum.sqrt() : sum.pow(1 / p);
    }

    private static Tensor power(Tensor gradient, double p) {
        return p == 2 ? gradient.mul(gradient) : gradient.abs().pow(p);
    }

    /** Clamps every element of every gradient to [-limit, limit]. */
    public static void clipGradValue(List<Parameter> parameters, double limit) {
        GradMode.noGrad(() -> gradients(parameters).forEach(gradient -> {
            gradient.clamp_(-limit, limit);
            gradient.close();
        }));
    }

    private static List<Tensor> gradients(List<Parameter> parameters) {
        return ArgumentChecks.requiredEach(parameters, "the parameters").stream()
                .map(Parameter::grad)
                .filter(Objects::nonNull)
                .toList();
    }
}

package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.States;
import dev.outpost.ops.CovarianceOps;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** The implementation of {@link CovarianceOps}. */
public final class Covariances {
    private Covariances() {}

    public static Tensor of(Tensor tensor, double correction, Tensor frequencies, Tensor weights) {
        if (tensor.dim() > 2) {
            throw new OpException("cov", "at most two dimensions are expected, got " + tensor.shape());
        }
        Tensor variables = tensor.dim() < 2 ? tensor.view(1, tensor.numel()) : tensor;
        requireOneForEach(variables, frequencies, "frequency");
        requireOneForEach(variables, weights, "weight");
        if (frequencies != null && !frequencies.dtype().isIntegral()) {
            throw new OpException("cov", "frequencies must be integers, got " + frequencies.type());
        }
        if (weights != null && !weights.dtype().isFloating()) {
            throw new OpException("cov", "weights must be floating, got " + weights.type());
        }
        return weighted(variables, correction, weights, product(frequencies, weights));
    }

    private static void requireOneForEach(Tensor variables, Tensor counts, String what) {
        if (counts != null && (counts.dim() > 1 || counts.numel() != variables.size(1))) {
            throw new OpException(
                    "cov",
                    "a " + what + " for each observation is needed, got " + counts.shape() + " for "
                            + variables.shape());
        }
    }

    private static Tensor product(Tensor frequencies, Tensor weights) {
        if (frequencies == null || weights == null) {
            return frequencies == null ? weights : frequencies;
        }
        return frequencies.mul(weights);
    }

    private static Tensor weighted(Tensor variables, double correction, Tensor weights, Tensor counts) {
        Tensor total = counts == null
                ? Creation.full(
                        States.home(variables), Shape.SCALAR, Numerics.resultDType(variables), variables.size(1))
                : counts.sum();
        Tensor centered =
                variables.sub(scaled(variables, counts).sum(1).div(total).unsqueeze(1));
        Tensor lost = weights == null || correction == 0
                ? null
                : counts.mul(weights).sum().div(total).mul(correction);
        Tensor norm = lost == null ? total.sub(correction) : total.sub(lost);
        Tensor bounded = norm.maskedFill(norm.le(0), 0);
        return centered.matmul(scaled(centered, counts).t()).div(bounded).squeeze();
    }

    private static Tensor scaled(Tensor variables, Tensor counts) {
        return counts == null ? variables : variables.mul(counts);
    }
}

package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Covariances;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Covariances and correlations. Rows are variables, columns are observations. */
public interface CovarianceOps {
    Tensor self();

    /** Returns the covariances of all pairs of variables, with Bessel's correction. */
    default Tensor cov() {
        return cov(1, null, null);
    }

    /**
     * Returns the covariances of all pairs of variables; a vector is one variable, and its variance is a scalar.
     *
     * @param correction the number subtracted from the count; 1 is Bessel's correction
     * @param frequencies the number of times that each observation counts (integers), or null
     * @param weights the weight of each observation (floating), or null
     */
    default Tensor cov(double correction, @Nullable Tensor frequencies, @Nullable Tensor weights) {
        return Scope.tidy(() -> Covariances.of(self(), correction, frequencies, weights));
    }

    /** Returns the correlations of all pairs of variables: the covariances divided by both standard deviations. */
    default Tensor corrcoef() {
        if (self().dim() > 2) {
            throw new OpException("corrcoef", "at most two dimensions are expected, got " + self().shape());
        }
        return Scope.tidy(() -> {
            Tensor covariances = self().cov();
            if (covariances.dim() == 0) {
                return covariances.div(covariances);
            }
            Tensor deviations = covariances.diag().sqrt();
            return covariances.div(deviations.unsqueeze(1)).div(deviations).clamp(-1, 1);
        });
    }
}

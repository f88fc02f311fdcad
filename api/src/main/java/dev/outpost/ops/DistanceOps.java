package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.FoldFunctions;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.types.OpException;
import java.util.stream.IntStream;

/** Distances by p-norms ({@link StatisticsOps#norm(double, int[], boolean)}). */
public interface DistanceOps {
    Tensor self();

    /** Returns the p-norm of the difference of two tensors. */
    default Tensor dist(Tensor other, double p) {
        return Scope.tidy(() -> self().sub(other).norm(p));
    }

    /**
     * Returns the distances of all rows of one matrix from all rows of another, for each matrix of a batch: {@code
     * [..., rows, other rows]}.
     */
    default Tensor cdist(Tensor other, double p) {
        if (self().dim() < 2 || other.dim() < 2 || self().size(-1) != other.size(-1)) {
            throw new OpException(
                    "cdist", "rows of one length are needed, got " + self().shape() + " and " + other.shape());
        }
        return Scope.tidy(() -> lengths(self().unsqueeze(-2).sub(other.unsqueeze(-3)), p));
    }

    /** Returns the distances of all pairs of different rows of a matrix, as a vector. */
    default Tensor pdist(double p) {
        if (self().dim() != 2) {
            throw new OpException("pdist", "a matrix is expected, got " + self().shape());
        }
        if (!(p >= 0)) {
            throw new OpException("pdist", "the order must not be negative, got " + p);
        }
        return Scope.tidy(() -> {
            long rows = self().size(0);
            Tensor pairs = Dispatch.apply(new Nonzero(rows * (rows - 1) / 2), pairMask(rows));
            Tensor first = self().indexSelect(0, pairs.select(1, 0));
            return lengths(first.sub(self().indexSelect(0, pairs.select(1, 1))), p);
        });
    }

    /** Returns the p-norms of differences. For p = 0 the gradient is zeros instead of null, as in PyTorch. */
    private static Tensor lengths(Tensor differences, double p) {
        if (p == 0) {
            return Numerics.zeros(differences).add(differences.ne(0)).sum(-1);
        }
        return p == 2 && differences.dtype().isFloating()
                ? FoldFunctions.euclideanDistance()
                        .of(Numerics.wide(differences))
                        .squeeze(-1)
                        .to(differences.dtype())
                : differences.norm(p, -1, false);
    }

    private Tensor pairMask(long rows) {
        Tensor indices = Creation.indices(States.home(self()), rows);
        return indices.unsqueeze(1).lt(indices);
    }

    /**
     * Scales down each slice of a dimension whose p-norm is above {@code largest}, so that its norm becomes {@code
     * largest}.
     */
    default Tensor renorm(double p, int dim, double largest) {
        if (self().dim() < 2) {
            throw new OpException("renorm", "at least two dimensions are needed, got " + self().shape());
        }
        if (!(p > 0 && largest >= 0)) {
            throw new OpException(
                    "renorm",
                    "the order must be positive and the largest norm not negative, got " + p + " and " + largest);
        }
        return Scope.tidy(() -> {
            int axis = self().shape().normalizeDim("renorm", dim);
            int[] others = IntStream.range(0, self().dim())
                    .filter(each -> each != axis)
                    .toArray();
            Tensor norms = self().norm(p, others, true);
            return self().mul(norms.add(1e-7)
                    .rdiv(largest)
                    .maskedFill(norms.gt(largest).logicalNot(), 1));
        });
    }
}

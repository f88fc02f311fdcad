package dev.outpost.internal.ops;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.ops.QuantileOps;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;

/** The implementation of {@link QuantileOps}: ranks in the sorted elements, and interpolation between two elements. */
public final class Quantiles {
    private final Tensor shares;
    private final int axis;
    private final boolean isScalar;
    private final QuantileOps.Interpolation interpolation;
    private final Tensor sorted;

    public Quantiles(String op, Tensor tensor, Tensor shares, int dim, QuantileOps.Interpolation interpolation) {
        Numerics.requireFloating(op, tensor);
        if (shares.dim() > 1 || shares.dtype() != tensor.dtype()) {
            throw new OpException(
                    op, "a share or a vector of them is needed, got " + shares.type() + " for " + tensor.type());
        }
        this.shares = shares;
        this.interpolation = interpolation;
        axis = tensor.shape().normalizeDim(op, dim);
        isScalar = tensor.dim() == 0;
        Tensor line = Tensors.atleast1d(tensor);
        if (line.size(axis) == 0) {
            throw new OpException(op, "there are no elements to choose from, got " + tensor.shape());
        }
        sorted = line.movedim(axis, -1).sort().values();
    }

    /** Returns quantiles of all elements. NaN sorts last, and is the result if it occurs. */
    public Tensor ofAll(boolean keepDim) {
        long last = sorted.size(-1) - 1;
        Tensor hasNan = sorted.isnan().any(-1, true);
        Tensor ranks = Tensors.atleast1d(shares).mul(last).maskedFill(hasNan, last);
        return shaped(between(ranks), keepDim);
    }

    public Tensor ofNumbers(boolean keepDim) {
        Tensor last = sorted.isnan().logicalNot().sum(-1, true).sub(1).to(sorted.dtype());
        Tensor ranks = Tensors.atleast1d(shares).mul(last);
        return shaped(between(ranks.maskedFill(ranks.lt(0), 0)), keepDim);
    }

    private Tensor between(Tensor ranks) {
        Tensor below = GradMode.noGrad(() -> ranks.floor());
        Tensor above = GradMode.noGrad(() -> ranks.ceil());
        return switch (interpolation) {
            case LOWER -> at(below);
            case HIGHER -> at(above);
            case NEAREST -> at(GradMode.noGrad(() -> ranks.round()));
            case MIDPOINT -> at(below).lerp(at(above), 0.5);
            case LINEAR -> at(below).lerp(at(above), ranks.sub(below));
        };
    }

    private Tensor at(Tensor ranks) {
        return sorted.gather(-1, ranks.to(DType.INT64));
    }

    /** Moves the dimension of the quantiles, if they have one, to the front. Keeps or removes the reduced dimension. */
    private Tensor shaped(Tensor chosen, boolean keepDim) {
        Tensor inFront = chosen.movedim(-1, 0);
        Tensor kept = keepDim && !isScalar ? inFront.unsqueeze(axis + 1) : inFront;
        return shares.dim() == 0 ? kept.squeeze(0) : kept;
    }
}

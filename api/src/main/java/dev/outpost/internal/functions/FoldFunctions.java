package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.gradients.FoldGradients;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.DType;
import org.jspecify.annotations.Nullable;

/** Norms, variances and other functions over dimensions, with PyTorch's gradients. */
public final class FoldFunctions {
    private FoldFunctions() {}

    /** Returns the norm of an order other than 0 and 1. */
    public static DerivedFunction norm(double order, int... dims) {
        if (order == 2) {
            return euclideanNorm(dims);
        }
        return Double.isInfinite(order) ? extremeMagnitude(order > 0, dims) : powerNorm(order, dims);
    }

    // A gradient computes the norm again, so that second derivatives flow through the norm.

    /** Returns √Σ x²; its gradient is x / norm, and 0 where the norm is 0. */
    private static DerivedFunction euclideanNorm(int... dims) {
        return DerivedFunction.of(
                "EuclideanNorm", in -> in[0].square().sum(dims, true).sqrt(), (in, g) -> {
                    Tensor norm = euclideanNorm(dims).of(in[0]);
                    return g.mul(in[0].div(norm).maskedFill(norm.eq(0), 0));
                });
    }

    /**
     * Returns √Σ x² of differences along the last dimension. As in PyTorch's cdist, a distance of 0 has a gradient of
     * 0 and a second derivative of 0; the norm's second derivative would be NaN.
     */
    public static DerivedFunction euclideanDistance() {
        return DerivedFunction.of(
                "EuclideanDistance",
                in -> in[0].square().sum(new int[] {-1}, true).sqrt(),
                (in, g) -> {
                    Tensor norm = euclideanDistance().of(in[0]);
                    Tensor isZero = norm.eq(0);
                    return g.mul(in[0].maskedFill(isZero, 0).div(FoldGradients.onesAt(isZero, norm)));
                });
    }

    /**
     * Returns the largest or the smallest |x|. The elements of this magnitude and NaN elements share its gradient.
     */
    private static DerivedFunction extremeMagnitude(boolean isLargest, int... dims) {
        return DerivedFunction.of("ExtremeMagnitude", in -> extreme(isLargest, in[0].abs(), dims), (in, g) -> {
            Tensor magnitudes = in[0].abs();
            Tensor isMet = magnitudes.eq(extreme(isLargest, magnitudes, dims)).logicalOr(in[0].isnan());
            return g.div(isMet.sum(dims, true)).mul(isMet).mul(in[0].sign());
        });
    }

    private static Tensor extreme(boolean isLargest, Tensor magnitudes, int... dims) {
        return isLargest ? magnitudes.amax(dims, true) : magnitudes.amin(dims, true);
    }

    /**
     * Returns (Σ |x|^p)^(1/p); its gradient is x · |x|^(p - 2) / norm^(p - 1), and 0 where the norm is 0 or, for p
     * below 1, where x is 0.
     */
    private static DerivedFunction powerNorm(double order, int... dims) {
        return DerivedFunction.of(
                "PowerNorm", in -> in[0].abs().pow(order).sum(dims, true).pow(1 / order), (in, g) -> {
                    Tensor x = in[0];
                    Tensor norm = powerNorm(order, dims).of(x);
                    // Below 2 the power of 0 would be infinite.
                    Tensor scaled = order < 2
                            ? x.sign().mul(x.abs().pow(order - 1))
                            : x.mul(x.abs().pow(order - 2));
                    return order < 1
                            ? scaled.maskedFill(x.eq(0), 0).mul(g).mul(norm.pow(1 - order))
                            : scaled.mul(g.div(norm.pow(order - 1)).maskedFill(norm.eq(0), 0));
                });
    }

    /** Returns Σ (x - mean)² / divisor; its gradient is 2 · (x - mean) / divisor. */
    public static DerivedFunction variance(double divisor, int... dims) {
        return DerivedFunction.of(
                "Variance",
                in -> centered(in[0], dims).square().sum(dims, true).div(divisor),
                (in, g) -> g.mul(2 / divisor).mul(centered(in[0], dims)));
    }

    private static Tensor centered(Tensor x, int... dims) {
        return x.sub(x.mean(dims, true));
    }

    /** Running sums of elements cast to a dtype. The gradient is a running sum from the back in the dtype of x. */
    public static final class CastRunningSum extends LibraryFunction {
        private final int axis;
        private final DType dtype;

        private CastRunningSum(int axis, DType dtype) {
            this.axis = axis;
            this.dtype = dtype;
        }

        public static Tensor of(Tensor x, int axis, DType dtype) {
            return new CastRunningSum(axis, dtype).apply(x)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.attach(inputs[0].dtype());
            return new Tensor[] {Scope.tidy(() -> inputs[0].to(dtype).cumsum(axis))};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            DType ofInput = (DType) context.attachment();
            return new Tensor[] {
                Scope.tidy(
                        () -> gradients[0].to(ofInput).flip(axis).cumsum(axis).flip(axis))
            };
        }
    }

    /**
     * The extremes of segments. As in PyTorch, the elements that equal the extreme of their segment share its gradient. If the extreme
     * is NaN, the NaN elements share it. The start values get no share.
     */
    public static final class SegmentExtreme extends LibraryFunction {
        private final int axis;
        private final ScatterReduce reduction;

        private SegmentExtreme(int axis, ScatterReduce reduction) {
            this.axis = axis;
            this.reduction = reduction;
        }

        /**
         * @param positions the segment of each element
         * @param starts the start values of the segments
         */
        public static Tensor of(Tensor data, Tensor positions, int axis, Tensor starts, ScatterReduce reduction) {
            return new SegmentExtreme(axis, reduction).apply(data, positions, starts)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            Tensor extremes = inputs[2].scatterReduce(axis, inputs[1], inputs[0], reduction, true);
            context.save(inputs[0], inputs[1], extremes);
            return new Tensor[] {extremes};
        }

        @Override
        protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
            Tensor data = context.saved(0);
            Tensor positions = context.saved(1);
            Tensor extremes = context.saved(2);
            return new @Nullable Tensor[] {
                Scope.tidy(() -> {
                    Tensor isChosen = data.eq(extremes.gather(axis, positions)).logicalOr(data.isnan());
                    Tensor counts =
                            gradients[0].zerosLike().scatterAdd(axis, positions, isChosen.to(gradients[0].dtype()));
                    Tensor shares = gradients[0].gather(axis, positions).div(counts.gather(axis, positions));
                    return Gradients.masked(isChosen, shares);
                }),
                null,
                null
            };
        }
    }
}

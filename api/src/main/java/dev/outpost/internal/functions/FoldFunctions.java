package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.gradients.FoldGradients;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.DType;
import org.jspecify.annotations.Nullable;

/** Functions that fold elements along dimensions and have a gradient of their own. */
public final class FoldFunctions {
    private FoldFunctions() {}

    /** A norm over dimensions, which it keeps with size 1, with the gradient that PyTorch has (norm_backward). */
    public abstract static class NormFunction extends LibraryFunction {
        final int[] dims;

        public NormFunction(int... dims) {
            this.dims = dims;
        }

        public static NormFunction of(double order, int... dims) {
            if (order == 2) {
                return new EuclideanNorm(dims);
            }
            return Double.isInfinite(order) ? new ExtremeMagnitude(order > 0, dims) : new PowerNorm(order, dims);
        }

        /** The norm, by tensor ops. */
        public abstract Tensor value(Tensor x);

        /** The gradient of x from that of the norm, by tensor ops that can be differentiated in turn. */
        public abstract Tensor gradient(Tensor x, Tensor ofNorm);

        public final Tensor of(Tensor x) {
            return apply(x)[0];
        }

        @Override
        protected final Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> value(inputs[0]))};
        }

        @Override
        protected final Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {Scope.tidy(() -> gradient(context.saved(0), gradients[0]))};
        }
    }

    /** √Σ x²; its gradient is x / norm, and 0 where the norm is 0. */
    public static class EuclideanNorm extends NormFunction {
        public EuclideanNorm(int... dims) {
            super(dims);
        }

        @Override
        public Tensor value(Tensor x) {
            return x.square().sum(dims, true).sqrt();
        }

        /** The norm is computed once more, so that gradients of the gradient go through it. */
        @Override
        public Tensor gradient(Tensor x, Tensor ofNorm) {
            Tensor norm = of(x);
            return ofNorm.mul(x.div(norm).maskedFill(norm.eq(0), 0));
        }
    }

    /**
     * √Σ x² of differences along the last dimension, which the result keeps with size 1. As in PyTorch's cdist, a distance of 0 has a gradient
     * of 0 and a second derivative of 0; that of {@link EuclideanNorm} is NaN.
     */
    public static final class EuclideanDistance extends EuclideanNorm {
        public EuclideanDistance() {
            super(-1);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofNorm) {
            Tensor norm = of(x);
            Tensor isZero = norm.eq(0);
            return ofNorm.mul(x.maskedFill(isZero, 0).div(FoldGradients.onesAt(isZero, norm)));
        }
    }

    /** (Σ |x|^p)^(1/p); its gradient is x · |x|^(p - 2) / norm^(p - 1), and 0 where the norm is 0, or for p < 1 the element. */
    public static final class PowerNorm extends NormFunction {
        private final double order;

        public PowerNorm(double order, int... dims) {
            super(dims);
            this.order = order;
        }

        @Override
        public Tensor value(Tensor x) {
            return x.abs().pow(order).sum(dims, true).pow(1 / order);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofNorm) {
            Tensor norm = of(x);
            return order < 1
                    ? scaled(x).maskedFill(x.eq(0), 0).mul(ofNorm).mul(norm.pow(1 - order))
                    : scaled(x).mul(ofNorm.div(norm.pow(order - 1)).maskedFill(norm.eq(0), 0));
        }

        /** Below 2 the power of 0 would be infinite. */
        private Tensor scaled(Tensor x) {
            return order < 2
                    ? x.sign().mul(x.abs().pow(order - 1))
                    : x.mul(x.abs().pow(order - 2));
        }
    }

    /** The largest or the smallest |x|; the elements that have it share its gradient with those that are NaN. */
    public static final class ExtremeMagnitude extends NormFunction {
        private final boolean isLargest;

        public ExtremeMagnitude(boolean isLargest, int... dims) {
            super(dims);
            this.isLargest = isLargest;
        }

        @Override
        public Tensor value(Tensor x) {
            return extreme(x.abs());
        }

        private Tensor extreme(Tensor magnitudes) {
            return isLargest ? magnitudes.amax(dims, true) : magnitudes.amin(dims, true);
        }

        @Override
        public Tensor gradient(Tensor x, Tensor ofNorm) {
            Tensor magnitudes = x.abs();
            Tensor isMet = magnitudes.eq(extreme(magnitudes)).logicalOr(x.isnan());
            return ofNorm.div(isMet.sum(dims, true)).mul(isMet).mul(x.sign());
        }
    }

    /** Σ (x - mean)² / divisor of dimensions, which it keeps with size 1; its gradient is 2 · (x - mean) / divisor. */
    public static final class Variance extends LibraryFunction {
        private final double divisor;
        private final int[] dims;

        public Variance(double divisor, int... dims) {
            this.divisor = divisor;
            this.dims = dims;
        }

        public Tensor of(Tensor x) {
            return apply(x)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {
                Scope.tidy(() -> centered(inputs[0]).square().sum(dims, true).div(divisor))
            };
        }

        private Tensor centered(Tensor x) {
            return x.sub(x.mean(dims, true));
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {Scope.tidy(() -> gradients[0].mul(2 / divisor).mul(centered(context.saved(0))))};
        }
    }

    /** Running sums of elements cast to a dtype; those of the gradient, from the back, are taken in the dtype that x has. */
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

    /** A number that was chosen among all elements of a tensor: those that equal it share its gradient, NaN where it is NaN. */
    public static final class ChosenElement extends LibraryFunction {
        private static final ChosenElement FUNCTION = new ChosenElement();

        private ChosenElement() {}

        /** @param chosen from the elements, without a gradient of its own */
        public static Tensor of(Tensor elements, Tensor chosen) {
            return Numerics.isRecorded(elements) ? FUNCTION.apply(elements, chosen)[0] : chosen;
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {inputs[1]};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor elements = context.saved(0);
            Tensor chosen = context.saved(1);
            return new Tensor[] {
                Scope.tidy(() -> {
                    Tensor areNan = elements.isnan().logicalAnd(chosen.isnan());
                    Tensor areEqual = elements.eq(chosen).logicalOr(areNan);
                    Tensor share = gradients[0].div(areEqual.sum());
                    return share.expand(elements.shape()).maskedFill(areEqual.logicalNot(), 0);
                }),
                null
            };
        }
    }

    /**
     * The extremes of segments. As in PyTorch, the elements that equal the extreme of their segment share its gradient. If the extreme is NaN,
     * the NaN elements share it. The start values get no share.
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
         * @param starts of the segments
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

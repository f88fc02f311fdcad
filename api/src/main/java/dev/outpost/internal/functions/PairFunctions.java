package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.function.UnaryOperator;

/** Functions of two or three tensors that have a gradient of their own. */
public final class PairFunctions {
    private PairFunctions() {}

    /** start + share · (end - start) of one share for all, from the nearer end; the gradients are those of (1 - share) · start + share · end. */
    public static final class Lerp extends LibraryFunction {
        private final double share;

        private Lerp(double share) {
            this.share = share;
        }

        public static Tensor of(Tensor start, Tensor end, double share) {
            return new Lerp(share).apply(start, end)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> between(inputs[0], inputs[1]))};
        }

        private Tensor between(Tensor start, Tensor end) {
            Tensor way = end.sub(start);
            return Math.abs(share) < 0.5 ? start.add(way.mul(share)) : end.sub(way.mul(1 - share));
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {
                Scope.tidy(() ->
                        gradients[0].mul(1 - share).sumToSize(context.saved(0).shape())),
                Scope.tidy(
                        () -> gradients[0].mul(share).sumToSize(context.saved(1).shape()))
            };
        }
    }

    /** As {@link Lerp}, of a share for each element. */
    public static final class WeightedLerp extends LibraryFunction {
        public static Tensor of(Tensor start, Tensor end, Tensor share) {
            return new WeightedLerp().apply(start, end, share)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> between(inputs[0], inputs[1], inputs[2]))};
        }

        private static Tensor between(Tensor start, Tensor end, Tensor share) {
            Tensor way = end.sub(start);
            Tensor fromStart = start.add(way.mul(share));
            Tensor fromEnd = end.sub(way.mul(share.rsub(1)));
            return fromStart.where(share.abs().lt(0.5), fromEnd);
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor start = context.saved(0);
            Tensor end = context.saved(1);
            Tensor share = context.saved(2);
            Tensor g = gradients[0];
            return new Tensor[] {
                Scope.tidy(() -> g.mul(share.rsub(1)).sumToSize(start.shape())),
                Scope.tidy(() -> g.mul(share).sumToSize(end.shape())),
                Scope.tidy(() -> g.mul(end.sub(start)).sumToSize(share.shape()))
            };
        }
    }

    /** The logarithm of a sum of two powers, without overflow, of halves in float32. A power's share of the sum is its gradient. */
    public static final class LogOfSum extends LibraryFunction {
        public static final LogOfSum NATURAL = new LogOfSum(Tensor::exp, 1);
        public static final LogOfSum BINARY = new LogOfSum(Tensor::exp2, Math.log(2));

        private final UnaryOperator<Tensor> power;
        private final double logOfBase;

        private LogOfSum(UnaryOperator<Tensor> power, double logOfBase) {
            this.power = power;
            this.logOfBase = logOfBase;
        }

        public Tensor of(Tensor x, Tensor y) {
            DType dtype = OpRecording.floatingType(x, y);
            return Scope.tidy(() -> apply(x.to(dtype), y.to(dtype))[0]);
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {
                Scope.tidy(() -> value(Numerics.wide(inputs[0]), Numerics.wide(inputs[1]))
                        .to(inputs[0].dtype()))
            };
        }

        private Tensor value(Tensor x, Tensor y) {
            Tensor rest = power.apply(distance(x, y).neg()).log1p();
            return x.maximum(y).add(logOfBase == 1 ? rest : rest.div(logOfBase));
        }

        /** |x - y|, and 0 where both are the same infinity. */
        private static Tensor distance(Tensor x, Tensor y) {
            return x.sub(y).maskedFill(x.eq(y), 0).abs();
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor x = context.saved(0);
            Tensor y = context.saved(1);
            return new Tensor[] {
                gradients[0].div(power.apply(y.sub(x)).add(1)).sumToSize(x.shape()),
                gradients[0].div(power.apply(x.sub(y)).add(1)).sumToSize(y.shape())
            };
        }
    }

    /**
     * x · log(shift + y), 0 where x is 0 unless y is NaN. By the chain rule the gradients would be what is left where x is 0;
     * these are PyTorch's: that of x is the logarithm there, too, but where y is beyond the logarithm's domain.
     */
    public static final class TimesLog extends LibraryFunction {
        public static final TimesLog OF_OTHER = new TimesLog(0);
        public static final TimesLog OF_ONE_PLUS_OTHER = new TimesLog(1);

        private final int shift;

        private TimesLog(int shift) {
            this.shift = shift;
        }

        public Tensor of(Tensor x, Tensor y) {
            DType dtype = OpRecording.floatingType(x, y);
            return Scope.tidy(() -> apply(x.to(dtype), y.to(dtype))[0]);
        }

        public Tensor of(Tensor x, Number y) {
            Operand.Immediate number = Operand.of(y);
            DType dtype = OpRecording.floatingType(x, number);
            Scalar scalar = number.scalar().to(dtype);
            return Scope.tidy(() -> apply(x.to(dtype), Creation.full(States.home(x), Shape.SCALAR, scalar))[0]);
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> value(inputs[0], inputs[1]))};
        }

        private Tensor value(Tensor x, Tensor y) {
            Tensor isZero = x.eq(0).logicalAnd(y.eq(y));
            Tensor log = shift == 0 ? y.log() : y.log1p();
            return x.mul(log).maskedFill(isZero, 0);
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor x = context.saved(0);
            Tensor y = context.saved(1);
            Tensor isBeyond = x.eq(0).logicalAnd(y.le(-shift));
            Tensor ofX = apply(gradients[0], y)[0].maskedFill(isBeyond, 0);
            Tensor ofY = gradients[0].mul(x).div(shift == 0 ? y : y.add(shift));
            return new Tensor[] {ofX.sumToSize(x.shape()), ofY.sumToSize(y.shape())};
        }
    }

    /** a × b of vectors along a dimension; its gradients are b × g and g × a, so those of a × a cancel to the last bit. */
    public static final class CrossProduct extends LibraryFunction {
        private final int dim;

        public CrossProduct(int dim) {
            this.dim = dim;
        }

        public Tensor of(Tensor a, Tensor b) {
            return apply(a, b)[0];
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {Scope.tidy(() -> product(inputs[0], inputs[1]))};
        }

        private Tensor product(Tensor a, Tensor b) {
            return next(a, 1).mul(next(b, 2)).sub(next(a, 2).mul(next(b, 1)));
        }

        private Tensor next(Tensor vectors, long places) {
            return vectors.roll(-places, dim);
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor a = context.saved(0);
            Tensor b = context.saved(1);
            Tensor g = gradients[0];
            return new Tensor[] {
                Scope.tidy(() -> of(b, g).sumToSize(a.shape())), Scope.tidy(() -> of(g, a).sumToSize(b.shape()))
            };
        }
    }
}

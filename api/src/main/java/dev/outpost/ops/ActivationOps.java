package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.CastRules;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Activations: elementwise nonlinearities, and softmax along a dimension. Integers become float32 where a function
 * needs fractions. Gradients are finite wherever PyTorch's are.
 */
public interface ActivationOps {
    Tensor self();

    // ---- piecewise linear

    /**
     * Returns max(x, 0), in the same dtype. The gradient at 0 is 0.
     *
     * {@snippet file="OpExamplesTest.java" region="relu"}
     */
    default Tensor relu() {
        return Dispatch.unary(Unary.RELU, self());
    }

    /** Returns x clamped to [0, 6]. */
    default Tensor relu6() {
        return hardtanh(0, 6);
    }

    /** Returns x where it is positive, 0.01 · x elsewhere. */
    default Tensor leakyRelu() {
        return leakyRelu(0.01);
    }

    /** Returns x where it is positive, slope · x elsewhere. */
    default Tensor leakyRelu(double slope) {
        return Scope.tidy(() -> self().where(self().gt(0), self().mul(slope)));
    }

    /**
     * Returns x where it is positive, weight · x elsewhere.
     *
     * @param weight one element, or one for each index of dimension 1
     */
    default Tensor prelu(Tensor weight) {
        return Scope.tidy(() -> {
            Tensor isPositive = self().gt(0);
            return self().where(isPositive, self().maskedFill(isPositive, 0).mul(channelwise(weight)));
        });
    }

    /** Returns x clamped to [-1, 1]. */
    default Tensor hardtanh() {
        return hardtanh(-1, 1);
    }

    /**
     * Returns x clamped to [min, max], in x's dtype, which must hold both bounds. There is no gradient at the bounds.
     * Bool is refused, and so is a negative whole bound for uint8.
     */
    default Tensor hardtanh(Number min, Number max) {
        DType dtype = self().dtype();
        requireHardBounds(min, max);
        boolean areBytes = dtype == DType.UINT8;
        Operand low = Operand.fitting("hardtanh", areBytes ? (Number) min.longValue() : min, dtype);
        Operand high = Operand.fitting("hardtanh", areBytes ? (Number) max.longValue() : max, dtype);
        return Scope.tidy(() -> {
            Tensor raised = Dispatch.where(Dispatch.binary(Binary.LE, self(), low), low, self());
            return Dispatch.where(Dispatch.binary(Binary.GE, raised, high), high, raised);
        });
    }

    /** Returns x + 3 clamped to [0, 6], divided by 6. */
    default Tensor hardsigmoid() {
        return ElementwiseFunctions.HARDSIGMOID.of(self());
    }

    /** Returns x · {@link #hardsigmoid} (Howard et al., "Searching for MobileNetV3", 2019). */
    default Tensor hardswish() {
        return ElementwiseFunctions.HARDSWISH.of(self());
    }

    /** Returns 0 where {@code |x| <= lambda}, x elsewhere. */
    default Tensor hardshrink(double lambda) {
        return Scope.tidy(() -> self().maskedFill(self().abs().le(lambda), 0));
    }

    /** Returns 0 where {@code |x| <= lambda}, elsewhere x moved toward 0 by lambda, which must not be negative. */
    default Tensor softshrink(double lambda) {
        if (!(lambda >= 0)) {
            throw new OpException("softshrink", "lambda must not be negative, got " + lambda);
        }
        return Scope.tidy(() ->
                self().sub(self().sign().mul(lambda)).maskedFill(self().abs().le(lambda), 0));
    }

    /** Returns x where it is above the threshold, value elsewhere; x's dtype must hold both. */
    default Tensor threshold(Number threshold, Number value) {
        Operand limit = Operand.fitting("threshold", threshold, self().dtype());
        Operand rest = Operand.fitting("threshold", value, self().dtype());
        return Scope.tidy(() -> Dispatch.where(Dispatch.binary(Binary.LE, self(), limit), rest, self()));
    }

    // ---- smooth

    /** Returns x where it is positive, exp(x) - 1 elsewhere (Clevert et al., 2016). */
    default Tensor elu() {
        return elu(1);
    }

    /** Returns x where it is positive, alpha · (exp(x) - 1) elsewhere. */
    default Tensor elu(double alpha) {
        return ElementwiseFunctions.elu(alpha, 1, 1).of(self());
    }

    /** Returns x where it is positive, alpha · (exp(x / alpha) - 1) elsewhere (Barron, 2017). */
    default Tensor celu(double alpha) {
        if (alpha == 0) {
            throw new OpException("celu", "alpha must not be 0, because the input is divided by it");
        }
        return ElementwiseFunctions.elu(alpha, 1, 1 / alpha).of(self());
    }

    /** Returns a scaled {@link #elu(double)} that keeps mean 0 and variance 1 (Klambauer et al., 2017). */
    default Tensor selu() {
        return ElementwiseFunctions.elu(1.6732632423543772, 1.0507009873554805, 1)
                .of(self());
    }

    /**
     * Returns x · Φ(x), Φ being the standard normal distribution function (Hendrycks and Gimpel, "Gaussian error linear units",
     * 2016). Floating dtypes only.
     *
     * {@snippet file="OpExamplesTest.java" region="gelu"}
     */
    default Tensor gelu() {
        return ElementwiseFunctions.GELU.of(self());
    }

    /** Returns {@link #gelu} with Φ(x) ≈ (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2. */
    default Tensor geluTanh() {
        return ElementwiseFunctions.GELU_TANH.of(self());
    }

    /** Returns x · sigmoid(x). */
    default Tensor silu() {
        return ElementwiseFunctions.SILU.of(self());
    }

    /** Returns x · tanh(softplus(x)) (Misra, 2019). */
    default Tensor mish() {
        return ElementwiseFunctions.MISH.of(self());
    }

    /** Returns log(1 + exp(x)); x itself above 20. */
    default Tensor softplus() {
        return softplus(1, 20);
    }

    /** Returns log(1 + exp(beta · x)) / beta; x itself where beta · x is above the threshold. */
    default Tensor softplus(double beta, double threshold) {
        return Scope.tidy(() -> {
            Tensor scaled = beta == 1 ? self() : self().mul(beta);
            Tensor isLinear = scaled.gt(threshold);
            Tensor curve = scaled.maskedFill(isLinear, 0).exp().log1p();
            return self().where(isLinear, beta == 1 ? curve : curve.div(beta));
        });
    }

    /** Returns log(sigmoid(x)), as min(x, 0) - log(1 + exp(-|x|)). */
    default Tensor logsigmoid() {
        return ElementwiseFunctions.LOG_SIGMOID.of(self());
    }

    /** Returns x / (1 + |x|). */
    default Tensor softsign() {
        return Scope.tidy(() -> self().div(self().abs().add(1)));
    }

    /** Returns x - tanh(x). */
    default Tensor tanhshrink() {
        return Scope.tidy(() -> self().sub(self().tanh()));
    }

    // ---- along a dimension

    /** Returns the first half of the last dimension times the sigmoid of the second half (Dauphin et al., 2016). */
    default Tensor glu() {
        return glu(-1);
    }

    /** Like {@link #glu()}, but along a dimension, whose size must be even. */
    default Tensor glu(int dim) {
        return Scope.tidy(() -> {
            int axis = Shapes.dim("glu", self().shape(), dim);
            long size = self().size(axis);
            if (size % 2 != 0) {
                throw new OpException("glu", "dimension " + axis + " must be even, got " + self().shape());
            }
            Tensor gate = self().narrow(axis, size / 2, size / 2);
            return self().narrow(axis, 0, size / 2).mul(gate.sigmoid());
        });
    }

    /**
     * Returns exp(x) / Σ exp(x) along a dimension, without overflow, in the tensor's shape; 16-bit floats are computed in float32.
     *
     * {@snippet file="OpExamplesTest.java" region="softmax"}
     *
     * @throws OpException if the dimension does not exist
     */
    default Tensor softmax(int dim) {
        return softmax(dim, CastRules.wide(Numerics.resultDType(self())));
    }

    /** Returns the softmax of the elements cast to a dtype. */
    default Tensor softmax(int dim, DType dtype) {
        return Scope.tidy(() -> {
            Tensor powers = shifted("softmax", dim, dtype).exp();
            return powers.div(powers.sum(dim, true)).to(dtype);
        });
    }

    /**
     * Returns the logarithm of {@link #softmax(int)}, without overflow or underflow.
     *
     * {@snippet file="OpExamplesTest.java" region="logSoftmax"}
     */
    default Tensor logSoftmax(int dim) {
        return logSoftmax(dim, CastRules.wide(Numerics.resultDType(self())));
    }

    /** Like {@link #logSoftmax(int)}, but casts the elements to a dtype first. */
    default Tensor logSoftmax(int dim, DType dtype) {
        return Scope.tidy(() -> {
            Tensor shifted = shifted("log_softmax", dim, dtype);
            return shifted.sub(shifted.exp().sum(dim, true).log()).to(dtype);
        });
    }

    /** Returns the softmax of -x. */
    default Tensor softmin(int dim) {
        return Scope.tidy(() -> self().neg().softmax(dim));
    }

    // ---- shared

    /**
     * Subtracts the largest element of the dimension from each element, in a wide dtype. Autograd treats the largest element as a
     * constant.
     */
    private Tensor shifted(String op, int dim, DType dtype) {
        int axis = self().shape().normalizeDim(op, dim);
        Tensor wide = Numerics.wide(self().dtype() == dtype ? self() : self().to(dtype));
        if (wide.dim() > 0 && wide.size(axis) == 0) {
            return wide;
        }
        return wide.sub(GradMode.noGrad(() -> wide.amax(dim, true)));
    }

    private void requireHardBounds(Number min, Number max) {
        if (self().dtype() == DType.BOOL) {
            throw new OpException("hardtanh", "not defined for bool, got " + self().type());
        }
        if (self().dtype() == DType.UINT8 && (min.longValue() < 0 || max.longValue() < 0)) {
            throw new OpException("hardtanh", "bounds of uint8 must not be negative, got " + min + " and " + max);
        }
    }

    private Tensor channelwise(Tensor weight) {
        if (weight.numel() == 1) {
            return weight.reshape(Shape.SCALAR);
        }
        long channels = self().dim() > 1 ? self().size(1) : 1;
        if (weight.dim() != 1 || weight.numel() != channels) {
            throw new OpException(
                    "prelu",
                    "one weight or one for each channel is needed, got " + weight.shape() + " and " + self().shape());
        }
        long[] sizes = new long[self().dim() - 1];
        Arrays.fill(sizes, 1);
        sizes[0] = channels;
        return weight.reshape(sizes);
    }
}

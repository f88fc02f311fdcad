package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Creation;
import dev.outpost.internal.InPlace;
import dev.outpost.internal.States;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Ops that write their result into the tensor itself, which changes every view of its storage. The result must have
 * the tensor's shape and no higher kind (bool, integer, float) than its dtype; it is cast to that dtype. Each op
 * returns the tensor. A leaf that requires gradients can be written only inside {@link GradMode#noGrad}.
 *
 * <p>Each op is atomic with respect to other threads' writes to the same storage, through any views. No write is lost: {@code add_(1)} by
 * ten threads adds ten. The order of ops of different threads is not defined. A read in another thread sees the values before or after an
 * op.
 *
 * <p>The op of the same name without the underscore documents the computation.
 */
public interface InPlaceOps {
    Tensor self();

    // ---- writing values

    /**
     * Copies the elements of another tensor, which is broadcast to this shape and cast to this dtype. Returns this tensor.
     *
     * {@snippet file="OpExamplesTest.java" region="copy_"}
     *
     * @throws OpException if the source does not broadcast to this shape
     */
    default Tensor copy_(Tensor source) {
        if (!ArgumentChecks.required(source, "the source").shape().broadcastsTo(self().shape())) {
            throw new OpException(
                    "copy_", "the source does not broadcast, got " + source.shape() + " into " + self().shape());
        }
        Tensor cast = source.to(self().dtype());
        Tensor expanded = States.view(cast, States.layout(cast).expand(self().shape()));
        InPlace.overwrite(self(), expanded);
        expanded.close();
        if (cast != source) {
            cast.close();
        }
        return self();
    }

    /**
     * Fills the tensor with a number. The old value gets a gradient of zeros, as in PyTorch. Returns this tensor.
     *
     * {@snippet file="OpExamplesTest.java" region="fill_"}
     *
     * @throws OpException if the dtype cannot hold the number
     */
    default Tensor fill_(Number value) {
        Tensor filled = Creation.full(States.home(self()), self().shape(), "fill_", value, self().dtype());
        InPlace.overwrite(self(), filled);
        filled.close();
        return self();
    }

    /** Like {@link #fill_(Number)}, but with a zero-dimensional tensor. */
    default Tensor fill_(Tensor value) {
        if (value.dim() != 0) {
            throw new OpException("fill_", "the value must have no dimensions, got " + value.shape());
        }
        return copy_(value);
    }

    /**
     * Fills the tensor with zeros. Returns this tensor.
     *
     * {@snippet file="OpExamplesTest.java" region="zero_"}
     */
    default Tensor zero_() {
        return fill_(0);
    }

    default Tensor maskedFill_(Tensor mask, Number value) {
        return written("masked_fill_", tensor -> tensor.maskedFill(mask, value));
    }

    default Tensor maskedFill_(Tensor mask, Tensor value) {
        return written("masked_fill_", tensor -> tensor.maskedFill(mask, value));
    }

    // ---- arithmetic

    default Tensor add_(Tensor other) {
        return written("add_", Tensor::add, other);
    }

    /**
     * Adds a number to each element of this tensor, which changes all views of these elements. Returns this tensor.
     *
     * {@snippet file="OpExamplesTest.java" region="add_"}
     *
     * @throws OpException if the tensor is a leaf that requires gradients, or its dtype is of a lower kind than the number
     */
    default Tensor add_(Number other) {
        return written("add_", Tensor::add, other);
    }

    default Tensor add_(Tensor other, Number alpha) {
        return written("add_", tensor -> tensor.add(other, alpha));
    }

    default Tensor sub_(Tensor other) {
        return written("sub_", Tensor::sub, other);
    }

    default Tensor sub_(Number other) {
        return written("sub_", Tensor::sub, other);
    }

    default Tensor sub_(Tensor other, Number alpha) {
        return written("sub_", tensor -> tensor.sub(other, alpha));
    }

    default Tensor mul_(Tensor other) {
        return written("mul_", Tensor::mul, other);
    }

    default Tensor mul_(Number other) {
        return written("mul_", Tensor::mul, other);
    }

    default Tensor div_(Tensor other) {
        return written("div_", Tensor::div, other);
    }

    default Tensor div_(Number other) {
        return written("div_", Tensor::div, other);
    }

    default Tensor div_(Tensor other, DivMode mode) {
        return written("div_", tensor -> tensor.div(other, mode));
    }

    default Tensor div_(Number other, DivMode mode) {
        return written("div_", tensor -> tensor.div(other, mode));
    }

    default Tensor floorDivide_(Tensor other) {
        return written("floor_divide_", Tensor::floorDivide, other);
    }

    default Tensor floorDivide_(Number other) {
        return written("floor_divide_", Tensor::floorDivide, other);
    }

    default Tensor remainder_(Tensor other) {
        return written("remainder_", Tensor::remainder, other);
    }

    default Tensor remainder_(Number other) {
        return written("remainder_", Tensor::remainder, other);
    }

    default Tensor pow_(Tensor exponent) {
        return written("pow_", Tensor::pow, exponent);
    }

    default Tensor pow_(Number exponent) {
        return written("pow_", Tensor::pow, exponent);
    }

    default Tensor addcmul_(Tensor first, Tensor second, Number value) {
        return written("addcmul_", tensor -> tensor.addcmul(first, second, value));
    }

    default Tensor addcmul_(Tensor first, Tensor second) {
        return addcmul_(first, second, 1);
    }

    default Tensor addcdiv_(Tensor first, Tensor second, Number value) {
        return written("addcdiv_", tensor -> tensor.addcdiv(first, second, value));
    }

    default Tensor addcdiv_(Tensor first, Tensor second) {
        return addcdiv_(first, second, 1);
    }

    default Tensor lerp_(Tensor end, Number weight) {
        return written("lerp_", tensor -> tensor.lerp(end, weight));
    }

    default Tensor lerp_(Tensor end, Tensor weight) {
        return written("lerp_", tensor -> tensor.lerp(end, weight));
    }

    default Tensor addmm_(Tensor first, Tensor second, Number beta, Number alpha) {
        return written("addmm_", tensor -> tensor.addmm(first, second, beta, alpha));
    }

    // ---- bounds

    default Tensor clamp_(@Nullable Number min, @Nullable Number max) {
        return written("clamp_", tensor -> tensor.clamp(min, max));
    }

    default Tensor clamp_(@Nullable Tensor min, @Nullable Tensor max) {
        return written("clamp_", tensor -> tensor.clamp(min, max));
    }

    default Tensor clampMin_(Number min) {
        return written("clamp_min_", Tensor::clampMin, min);
    }

    default Tensor clampMax_(Number max) {
        return written("clamp_max_", Tensor::clampMax, max);
    }

    // ---- functions

    default Tensor neg_() {
        return written("neg_", Tensor::neg);
    }

    default Tensor abs_() {
        return written("abs_", Tensor::abs);
    }

    default Tensor sign_() {
        return written("sign_", Tensor::sign);
    }

    default Tensor ceil_() {
        return written("ceil_", Tensor::ceil);
    }

    default Tensor floor_() {
        return written("floor_", Tensor::floor);
    }

    default Tensor trunc_() {
        return written("trunc_", Tensor::trunc);
    }

    default Tensor round_() {
        return written("round_", Tensor::round);
    }

    default Tensor sqrt_() {
        return written("sqrt_", Tensor::sqrt);
    }

    default Tensor rsqrt_() {
        return written("rsqrt_", Tensor::rsqrt);
    }

    default Tensor square_() {
        return written("square_", Tensor::square);
    }

    default Tensor reciprocal_() {
        return written("reciprocal_", Tensor::reciprocal);
    }

    default Tensor exp_() {
        return written("exp_", Tensor::exp);
    }

    default Tensor expm1_() {
        return written("expm1_", Tensor::expm1);
    }

    default Tensor log_() {
        return written("log_", Tensor::log);
    }

    default Tensor log1p_() {
        return written("log1p_", Tensor::log1p);
    }

    default Tensor sin_() {
        return written("sin_", Tensor::sin);
    }

    default Tensor cos_() {
        return written("cos_", Tensor::cos);
    }

    default Tensor tanh_() {
        return written("tanh_", Tensor::tanh);
    }

    default Tensor sigmoid_() {
        return written("sigmoid_", Tensor::sigmoid);
    }

    default Tensor relu_() {
        return written("relu_", Tensor::relu);
    }

    default Tensor erfinv_() {
        return written("erfinv_", Tensor::erfinv);
    }

    default Tensor nanToNum_() {
        return written("nan_to_num_", Tensor::nanToNum);
    }

    /** Negates a mask. */
    default Tensor logicalNot_() {
        return written("logical_not_", Tensor::logicalNot);
    }

    // ---- shared

    /** Writes a function of this tensor to it, while it holds the storage's write lock. */
    private Tensor written(String op, UnaryOperator<Tensor> function) {
        Cell storage = States.cell(self());
        storage.beginWrite();
        try {
            return stored(op, function.apply(self()));
        } finally {
            storage.endWrite();
        }
    }

    /** Like {@link #written(String, UnaryOperator)}, but for a function with another operand. */
    private <T> Tensor written(String op, BiFunction<Tensor, T, Tensor> function, T operand) {
        Cell storage = States.cell(self());
        storage.beginWrite();
        try {
            return stored(op, function.apply(self(), operand));
        } finally {
            storage.endWrite();
        }
    }

    /** Writes a result to this tensor. No other handle of the result exists. */
    private Tensor stored(String op, Tensor result) {
        requireFits(op, result);
        Tensor cast = result.to(self().dtype());
        InPlace.assign(self(), cast);
        cast.close();
        result.close();
        return self();
    }

    private void requireFits(String op, Tensor result) {
        Shape shape = self().shape();
        DType dtype = self().dtype();
        if (!result.shape().equals(shape)) {
            throw new OpException(
                    op,
                    "the result has shape " + result.shape() + " and does not fit in place into " + shape
                            + "; use the op that makes a new tensor");
        }
        if (result.dtype().category().compareTo(dtype.category()) > 0) {
            throw new OpException(
                    op,
                    "a " + result.dtype() + " result cannot be stored in " + dtype
                            + "; use the op that makes a new tensor, or cast this one first with "
                            + DTypeAdvice.cast(result.dtype()));
        }
    }
}

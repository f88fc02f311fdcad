package dev.outpost.ops;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.Arguments;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Internals;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Ops that write their result into the tensor itself, and so into every view of its storage. The result must have the
 * tensor's shape and be of no higher kind (bool, integer, float) than its dtype; it is cast to that. Each answers the
 * tensor. A leaf that requires gradients can be written only inside {@link GradMode#noGrad}.
 *
 * <p>What each computes stands with the op of the same name without the underscore.
 */
public interface InPlaceOps {
    Tensor self();

    // ---- writing values

    /** The elements of another tensor, which broadcasts and is cast. */
    default Tensor copy_(Tensor source) {
        if (!Arguments.required(source, "the source").shape().broadcastsTo(self().shape())) {
            throw new OpException(
                    "copy_", "the source does not broadcast, got " + source.shape() + " into " + self().shape());
        }
        Tensor cast = source.to(self().dtype());
        Tensor expanded = Internals.view(cast, Internals.layout(cast).expand(self().shape()));
        Internals.overwrite(self(), expanded);
        expanded.close();
        if (cast != source) {
            cast.close();
        }
        return self();
    }

    /** A number everywhere, which the dtype must hold. Autograd sees zeros here, as in PyTorch, not nothing. */
    default Tensor fill_(Number value) {
        return stored("fill_", Creation.full(Internals.home(self()), self().shape(), "fill_", value, self().dtype()));
    }

    /** As {@link #fill_(Number)}, with a zero-dimensional tensor. */
    default Tensor fill_(Tensor value) {
        if (value.dim() != 0) {
            throw new OpException("fill_", "the value must have no dimensions, got " + value.shape());
        }
        return copy_(value);
    }

    default Tensor zero_() {
        return fill_(0);
    }

    default Tensor maskedFill_(Tensor mask, Number value) {
        return stored("masked_fill_", self().maskedFill(mask, value));
    }

    default Tensor maskedFill_(Tensor mask, Tensor value) {
        return stored("masked_fill_", self().maskedFill(mask, value));
    }

    // ---- arithmetic

    default Tensor add_(Tensor other) {
        return stored("add_", self().add(other));
    }

    default Tensor add_(Number other) {
        return stored("add_", self().add(other));
    }

    default Tensor add_(Tensor other, Number alpha) {
        return stored("add_", self().add(other, alpha));
    }

    default Tensor sub_(Tensor other) {
        return stored("sub_", self().sub(other));
    }

    default Tensor sub_(Number other) {
        return stored("sub_", self().sub(other));
    }

    default Tensor sub_(Tensor other, Number alpha) {
        return stored("sub_", self().sub(other, alpha));
    }

    default Tensor mul_(Tensor other) {
        return stored("mul_", self().mul(other));
    }

    default Tensor mul_(Number other) {
        return stored("mul_", self().mul(other));
    }

    default Tensor div_(Tensor other) {
        return stored("div_", self().div(other));
    }

    default Tensor div_(Number other) {
        return stored("div_", self().div(other));
    }

    default Tensor div_(Tensor other, DivMode mode) {
        return stored("div_", self().div(other, mode));
    }

    default Tensor div_(Number other, DivMode mode) {
        return stored("div_", self().div(other, mode));
    }

    default Tensor floorDivide_(Tensor other) {
        return stored("floor_divide_", self().floorDivide(other));
    }

    default Tensor floorDivide_(Number other) {
        return stored("floor_divide_", self().floorDivide(other));
    }

    default Tensor remainder_(Tensor other) {
        return stored("remainder_", self().remainder(other));
    }

    default Tensor remainder_(Number other) {
        return stored("remainder_", self().remainder(other));
    }

    default Tensor pow_(Tensor exponent) {
        return stored("pow_", self().pow(exponent));
    }

    default Tensor pow_(Number exponent) {
        return stored("pow_", self().pow(exponent));
    }

    default Tensor addcmul_(Tensor first, Tensor second, Number value) {
        return stored("addcmul_", self().addcmul(first, second, value));
    }

    default Tensor addcmul_(Tensor first, Tensor second) {
        return addcmul_(first, second, 1);
    }

    default Tensor addcdiv_(Tensor first, Tensor second, Number value) {
        return stored("addcdiv_", self().addcdiv(first, second, value));
    }

    default Tensor addcdiv_(Tensor first, Tensor second) {
        return addcdiv_(first, second, 1);
    }

    default Tensor lerp_(Tensor end, Number weight) {
        return stored("lerp_", self().lerp(end, weight));
    }

    default Tensor lerp_(Tensor end, Tensor weight) {
        return stored("lerp_", self().lerp(end, weight));
    }

    default Tensor addmm_(Tensor first, Tensor second, Number beta, Number alpha) {
        return stored("addmm_", self().addmm(first, second, beta, alpha));
    }

    // ---- bounds

    default Tensor clamp_(@Nullable Number min, @Nullable Number max) {
        return stored("clamp_", self().clamp(min, max));
    }

    default Tensor clamp_(@Nullable Tensor min, @Nullable Tensor max) {
        return stored("clamp_", self().clamp(min, max));
    }

    default Tensor clampMin_(Number min) {
        return stored("clamp_min_", self().clampMin(min));
    }

    default Tensor clampMax_(Number max) {
        return stored("clamp_max_", self().clampMax(max));
    }

    // ---- functions

    default Tensor neg_() {
        return stored("neg_", self().neg());
    }

    default Tensor abs_() {
        return stored("abs_", self().abs());
    }

    default Tensor sign_() {
        return stored("sign_", self().sign());
    }

    default Tensor ceil_() {
        return stored("ceil_", self().ceil());
    }

    default Tensor floor_() {
        return stored("floor_", self().floor());
    }

    default Tensor trunc_() {
        return stored("trunc_", self().trunc());
    }

    default Tensor round_() {
        return stored("round_", self().round());
    }

    default Tensor sqrt_() {
        return stored("sqrt_", self().sqrt());
    }

    default Tensor rsqrt_() {
        return stored("rsqrt_", self().rsqrt());
    }

    default Tensor square_() {
        return stored("square_", self().square());
    }

    default Tensor reciprocal_() {
        return stored("reciprocal_", self().reciprocal());
    }

    default Tensor exp_() {
        return stored("exp_", self().exp());
    }

    default Tensor expm1_() {
        return stored("expm1_", self().expm1());
    }

    default Tensor log_() {
        return stored("log_", self().log());
    }

    default Tensor log1p_() {
        return stored("log1p_", self().log1p());
    }

    default Tensor sin_() {
        return stored("sin_", self().sin());
    }

    default Tensor cos_() {
        return stored("cos_", self().cos());
    }

    default Tensor tanh_() {
        return stored("tanh_", self().tanh());
    }

    default Tensor sigmoid_() {
        return stored("sigmoid_", self().sigmoid());
    }

    default Tensor relu_() {
        return stored("relu_", self().relu());
    }

    default Tensor erfinv_() {
        return stored("erfinv_", self().erfinv());
    }

    default Tensor nanToNum_() {
        return stored("nan_to_num_", self().nanToNum());
    }

    /** Not, for masks. */
    default Tensor logicalNot_() {
        return stored("logical_not_", self().logicalNot());
    }

    // ---- shared

    /** Writes a result that nobody else has a handle of. */
    private Tensor stored(String op, Tensor result) {
        requireFits(op, result);
        Tensor cast = result.to(self().dtype());
        Internals.assign(self(), cast);
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

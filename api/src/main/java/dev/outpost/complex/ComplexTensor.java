package dev.outpost.complex;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A tensor of complex numbers, stored as pairs: real and imaginary parts along a last dimension of size 2. Pairs of float32 are
 * PyTorch's complex64, pairs of float64 complex128. Ops are composed of real ops, so they run on every engine and in programs, and
 * gradients flow. The gradient of a number is PyTorch's (the conjugate of the derivative). Shapes and dimensions, also negative ones,
 * do not include the last dimension of the pairs.
 */
public final class ComplexTensor implements AutoCloseable {
    private final Tensor pairs;

    private ComplexTensor(Tensor pairs) {
        this.pairs = pairs;
    }

    /** Wraps pairs: {@code [..., 2]} of float32 or float64 (view_as_complex). */
    public static ComplexTensor viewAsComplex(Tensor pairs) {
        if (pairs.dim() == 0 || pairs.size(-1) != 2 || !isComponent(pairs.dtype())) {
            throw new OpException(
                    "view_as_complex", "float32 or float64 with a last dimension of 2 is needed, got " + pairs.type());
        }
        return new ComplexTensor(pairs);
    }

    private static boolean isComponent(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT64;
    }

    /** Combines real and imaginary parts, which broadcast and must have one dtype. */
    public static ComplexTensor complex(Tensor real, Tensor imag) {
        if (real.dtype() != imag.dtype() || !isComponent(real.dtype())) {
            throw new OpException(
                    "complex",
                    "both parts must be float32 or both float64, got " + real.type() + " and " + imag.type());
        }
        return new ComplexTensor(Scope.tidy(() -> Tensors.stack(Tensors.broadcastTensors(real, imag), -1)));
    }

    /** Creates numbers from absolute values and angles in radians. */
    public static ComplexTensor polar(Tensor abs, Tensor angle) {
        if (abs.dtype() != angle.dtype() || !isComponent(abs.dtype())) {
            throw new OpException(
                    "polar", "both must be float32 or both float64, got " + abs.type() + " and " + angle.type());
        }
        return of(() -> complex(abs.mul(angle.cos()), abs.mul(angle.sin())));
    }

    /** Converts real numbers to complex ones. */
    public static ComplexTensor of(Tensor real) {
        Tensor floating = real.dtype().isFloating() ? real : real.to(DType.FLOAT32);
        return of(() -> complex(floating, floating.zerosLike()));
    }

    /** A computation with a complex result. */
    interface Computation {
        ComplexTensor compute();
    }

    /** Computes a result and closes the intermediates like {@link Scope#tidy}. */
    static ComplexTensor of(Computation computation) {
        return new ComplexTensor(Scope.tidy(() -> computation.compute().pairs));
    }

    /** Returns the pairs: {@code [..., 2]} (view_as_real). */
    public Tensor viewAsReal() {
        return pairs;
    }

    /** Returns the real parts; a view. */
    public Tensor real() {
        return pairs.select(-1, 0);
    }

    /** Returns the imaginary parts; a view. */
    public Tensor imag() {
        return pairs.select(-1, 1);
    }

    /** Returns the shape of the numbers, without the dimension of the parts. */
    public Shape shape() {
        return Shape.of(Arrays.copyOf(pairs.shape().toArray(), pairs.dim() - 1));
    }

    /** Returns the number of dimensions. */
    public int dim() {
        return pairs.dim() - 1;
    }

    /** Returns the size of a dimension. Negative dimensions count from the back. */
    public long size(int dim) {
        return shape().size(axis("size", dim));
    }

    /** Returns the dtype of the parts. */
    public DType componentDType() {
        return pairs.dtype();
    }

    /** Converts a dimension of the numbers to one of the pairs. */
    private int axis(String op, int dim) {
        return shape().normalizeDim(op, dim);
    }

    private int[] axes(String op, int... dims) {
        return Arrays.stream(dims).map(dim -> axis(op, dim)).toArray();
    }

    // ---- number by number

    public ComplexTensor add(ComplexTensor other) {
        return new ComplexTensor(pairs.add(other.pairs));
    }

    public ComplexTensor sub(ComplexTensor other) {
        return new ComplexTensor(pairs.sub(other.pairs));
    }

    public ComplexTensor neg() {
        return new ComplexTensor(pairs.neg());
    }

    public ComplexTensor mul(ComplexTensor other) {
        return of(() -> {
            Tensor a = real();
            Tensor b = imag();
            Tensor c = other.real();
            Tensor d = other.imag();
            return complex(a.mul(c).sub(b.mul(d)), a.mul(d).add(b.mul(c)));
        });
    }

    /** Multiplies by a real number. */
    public ComplexTensor mul(Number factor) {
        return new ComplexTensor(pairs.mul(factor));
    }

    /** Multiplies by real numbers. */
    public ComplexTensor mul(Tensor factor) {
        return of(() -> new ComplexTensor(pairs.mul(factor.unsqueeze(-1))));
    }

    /** Returns the quotient, scaled so that squares do not overflow. */
    public ComplexTensor div(ComplexTensor other) {
        return of(() -> {
            Tensor scale = other.real().abs().maximum(other.imag().abs()).detach();
            ComplexTensor small = new ComplexTensor(other.pairs.div(scale.unsqueeze(-1)));
            Tensor norm = small.real().square().add(small.imag().square()).mul(scale);
            ComplexTensor above = mul(small.conj());
            return new ComplexTensor(above.pairs.div(norm.unsqueeze(-1)));
        });
    }

    /** Divides by a real number. */
    public ComplexTensor div(Number divisor) {
        return new ComplexTensor(pairs.div(divisor));
    }

    public ComplexTensor reciprocal() {
        return of(() -> of(real().onesLike()).div(this));
    }

    public ComplexTensor conj() {
        return of(() -> complex(real(), imag().neg()));
    }

    /** Returns the absolute values; their gradient at 0 is 0. */
    public Tensor abs() {
        return real().hypot(imag());
    }

    /** Returns the angles in radians, from -π to π. */
    public Tensor angle() {
        return imag().atan2(real());
    }

    public ComplexTensor exp() {
        return of(() -> polar(real().exp(), imag()));
    }

    /** Returns the principal logarithm. */
    public ComplexTensor log() {
        return of(() -> complex(abs().log(), angle()));
    }

    /** Returns the root whose real part is not negative. */
    public ComplexTensor sqrt() {
        return of(() -> polar(abs().sqrt(), angle().div(2)));
    }

    /** Returns the principal power. */
    public ComplexTensor pow(ComplexTensor exponent) {
        return of(() -> exponent.mul(log()).exp());
    }

    /** Returns the principal power; 0 to any power above 0 is 0. */
    public ComplexTensor pow(Number exponent) {
        return of(() -> polar(abs().pow(exponent), angle().mul(exponent)));
    }

    public ComplexTensor sin() {
        return of(() -> complex(real().sin().mul(imag().cosh()), real().cos().mul(imag().sinh())));
    }

    public ComplexTensor cos() {
        return of(() -> complex(
                real().cos().mul(imag().cosh()), real().sin().mul(imag().sinh()).neg()));
    }

    public ComplexTensor sinh() {
        return of(() -> complex(real().sinh().mul(imag().cos()), real().cosh().mul(imag().sin())));
    }

    public ComplexTensor cosh() {
        return of(() -> complex(real().cosh().mul(imag().cos()), real().sinh().mul(imag().sin())));
    }

    public ComplexTensor tanh() {
        return of(() -> sinh().div(cosh()));
    }

    /** Divides each number by its absolute value; 0 stays 0. */
    public ComplexTensor sgn() {
        return of(() -> {
            Tensor size = abs();
            Tensor isZero = size.eq(0);
            return new ComplexTensor(pairs.div(size.maskedFill(isZero, 1).unsqueeze(-1)));
        });
    }

    /** True where both parts are equal. */
    public Tensor eq(ComplexTensor other) {
        return Scope.tidy(() -> real().eq(other.real()).logicalAnd(imag().eq(other.imag())));
    }

    /** True where at least one part differs. */
    public Tensor ne(ComplexTensor other) {
        return Scope.tidy(() -> eq(other).logicalNot());
    }

    // ---- folds

    /** Returns the sum over some dimensions, or over all. */
    public ComplexTensor sum(int... dims) {
        return new ComplexTensor(pairs.sum(orAll("sum", dims)));
    }

    /** Returns the mean over some dimensions, or over all. */
    public ComplexTensor mean(int... dims) {
        return new ComplexTensor(pairs.mean(orAll("mean", dims)));
    }

    private int[] orAll(String op, int... dims) {
        if (dims.length > 0) {
            return axes(op, dims);
        }
        int[] all = new int[dim()];
        Arrays.setAll(all, dim -> dim);
        return all;
    }

    /** Returns the running sum along a dimension. */
    public ComplexTensor cumsum(int dim) {
        return new ComplexTensor(pairs.cumsum(axis("cumsum", dim)));
    }

    /**
     * Returns the product along a dimension. Multiplies one half of the numbers by the other until one number is
     * left.
     */
    public ComplexTensor prod(int dim) {
        int axis = axis("prod", dim);
        return of(() -> {
            ComplexTensor factors = new ComplexTensor(pairs.movedim(axis, 0));
            if (factors.size(0) == 0) {
                return of(
                        factors.pairs.newOnes(Arrays.copyOfRange(factors.shape().toArray(), 1, dim())));
            }
            while (factors.size(0) > 1) {
                factors = factors.paired();
            }
            return new ComplexTensor(factors.pairs.squeeze(0));
        });
    }

    private ComplexTensor paired() {
        long half = size(0) / 2;
        ComplexTensor products =
                new ComplexTensor(pairs.narrow(0, 0, half)).mul(new ComplexTensor(pairs.narrow(0, half, half)));
        return size(0) % 2 == 0
                ? products
                : new ComplexTensor(Tensors.cat(List.of(products.pairs, pairs.narrow(0, size(0) - 1, 1)), 0));
    }

    /** Returns the matrix product, with the shape rules of {@link Tensor#matmul}. */
    public ComplexTensor matmul(ComplexTensor other) {
        return of(() -> {
            Tensor a = real();
            Tensor b = imag();
            Tensor c = other.real();
            Tensor d = other.imag();
            return complex(a.matmul(c).sub(b.matmul(d)), a.matmul(d).add(b.matmul(c)));
        });
    }

    /**
     * Returns the exponential of square matrices (torch.matrix_exp). It reads their norm, so a program cannot trace
     * it.
     */
    public ComplexTensor matrixExp() {
        return of(() -> ComplexMatrices.exp(this));
    }

    // ---- shapes

    public ComplexTensor view(long... sizes) {
        return new ComplexTensor(pairs.view(withParts(sizes)));
    }

    public ComplexTensor reshape(long... sizes) {
        return new ComplexTensor(pairs.reshape(withParts(sizes)));
    }

    private static long[] withParts(long... sizes) {
        long[] all = Arrays.copyOf(sizes, sizes.length + 1);
        all[sizes.length] = 2;
        return all;
    }

    public ComplexTensor transpose(int first, int second) {
        return new ComplexTensor(pairs.transpose(axis("transpose", first), axis("transpose", second)));
    }

    public ComplexTensor movedim(int source, int destination) {
        return new ComplexTensor(pairs.movedim(axis("movedim", source), axis("movedim", destination)));
    }

    /** Returns the conjugate transpose of matrices (mH). */
    public ComplexTensor mH() {
        return of(() -> transpose(-2, -1).conj());
    }

    public ComplexTensor select(int dim, long index) {
        return new ComplexTensor(pairs.select(axis("select", dim), index));
    }

    public ComplexTensor narrow(int dim, long start, long length) {
        return new ComplexTensor(pairs.narrow(axis("narrow", dim), start, length));
    }

    public ComplexTensor unsqueeze(int dim) {
        int axis = dim < 0 ? dim + dim() + 1 : dim;
        return new ComplexTensor(pairs.unsqueeze(axis));
    }

    public ComplexTensor squeeze(int dim) {
        return new ComplexTensor(pairs.squeeze(axis("squeeze", dim)));
    }

    public ComplexTensor flip(int... dims) {
        return new ComplexTensor(pairs.flip(axes("flip", dims)));
    }

    public ComplexTensor roll(long shift, int dim) {
        return new ComplexTensor(pairs.roll(new long[] {shift}, new int[] {axis("roll", dim)}));
    }

    ComplexTensor onPairs(UnaryOperator<Tensor> op) {
        return new ComplexTensor(Objects.requireNonNull(op.apply(pairs)));
    }

    /** Closes the pairs. */
    @Override
    public void close() {
        pairs.close();
    }

    @Override
    public String toString() {
        return (pairs.dtype() == DType.FLOAT32 ? "complex64" : "complex128") + shape();
    }
}

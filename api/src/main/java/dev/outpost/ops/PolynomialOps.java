package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Polynomials;
import dev.outpost.protocol.op.Binary;

/**
 * Orthogonal polynomials of this argument (torch.special). The degree is a tensor that broadcasts with the argument and is truncated
 * toward zero. For a negative degree the result is 0. For a degree above 65,536 it is NaN, except for Chebyshev polynomials between -1
 * and 1. As in PyTorch, the argument has no gradient.
 */
public interface PolynomialOps {
    Tensor self();

    /** Returns Chebyshev's polynomial of the first kind. */
    default Tensor chebyshevPolynomialT(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.CHEBYSHEV_T, self(), degree));
    }

    /** Returns Chebyshev's polynomial of the second kind. */
    default Tensor chebyshevPolynomialU(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.CHEBYSHEV_U, self(), degree));
    }

    /** Returns Chebyshev's polynomial of the third kind. */
    default Tensor chebyshevPolynomialV(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.CHEBYSHEV_V, self(), degree));
    }

    /** Returns Chebyshev's polynomial of the fourth kind. */
    default Tensor chebyshevPolynomialW(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.CHEBYSHEV_W, self(), degree));
    }

    /** Returns {@link #chebyshevPolynomialT} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialT(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialT(degree));
    }

    /** Returns {@link #chebyshevPolynomialU} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialU(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialU(degree));
    }

    /** Returns {@link #chebyshevPolynomialV} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialV(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialV(degree));
    }

    /** Returns {@link #chebyshevPolynomialW} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialW(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialW(degree));
    }

    private Tensor shifted(Tensor degree) {
        Tensor x = self().to(Polynomials.resultType(self(), degree));
        return x.add(x).sub(1);
    }

    /** Returns the physicists' Hermite polynomial. */
    default Tensor hermitePolynomialH(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.HERMITE_H, self(), degree));
    }

    /** Returns the probabilists' Hermite polynomial. */
    default Tensor hermitePolynomialHe(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.HERMITE_HE, self(), degree));
    }

    /** Returns Laguerre's polynomial. */
    default Tensor laguerrePolynomialL(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.LAGUERRE_L, self(), degree));
    }

    /** Returns Legendre's polynomial. */
    default Tensor legendrePolynomialP(Tensor degree) {
        return Scope.tidy(() -> (Tensor) Polynomials.evaluate(Binary.LEGENDRE_P, self(), degree));
    }
}

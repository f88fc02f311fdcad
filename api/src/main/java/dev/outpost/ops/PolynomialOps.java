package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Polynomials;

/**
 * Orthogonal polynomials of this argument (torch.special). The degree is a tensor that broadcasts against it and counts
 * towards zero; of a negative one the polynomial is 0. Waits for the largest degree.
 */
public interface PolynomialOps {
    Tensor self();

    /** Chebyshev's polynomial of the first kind. */
    default Tensor chebyshevPolynomialT(Tensor degree) {
        return Scope.tidy(() -> Polynomials.chebyshev(self(), degree, (x, twice) -> x));
    }

    /** Chebyshev's polynomial of the second kind. */
    default Tensor chebyshevPolynomialU(Tensor degree) {
        return Scope.tidy(() -> Polynomials.chebyshev(self(), degree, (x, twice) -> twice));
    }

    /** Chebyshev's polynomial of the third kind. */
    default Tensor chebyshevPolynomialV(Tensor degree) {
        return Scope.tidy(() -> Polynomials.chebyshev(self(), degree, (x, twice) -> twice.sub(1)));
    }

    /** Chebyshev's polynomial of the fourth kind. */
    default Tensor chebyshevPolynomialW(Tensor degree) {
        return Scope.tidy(() -> Polynomials.chebyshev(self(), degree, (x, twice) -> twice.add(1)));
    }

    /** {@link #chebyshevPolynomialT} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialT(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialT(degree));
    }

    /** {@link #chebyshevPolynomialU} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialU(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialU(degree));
    }

    /** {@link #chebyshevPolynomialV} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialV(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialV(degree));
    }

    /** {@link #chebyshevPolynomialW} on [0, 1] instead of [-1, 1]. */
    default Tensor shiftedChebyshevPolynomialW(Tensor degree) {
        return Scope.tidy(() -> shifted(degree).chebyshevPolynomialW(degree));
    }

    private Tensor shifted(Tensor degree) {
        Tensor x = self().to(Polynomials.resultType(self(), degree));
        return x.add(x).sub(1);
    }

    /** Hermite's polynomial as physicists have it. */
    default Tensor hermitePolynomialH(Tensor degree) {
        return Scope.tidy(() -> Polynomials.evaluate(
                self(),
                degree,
                x -> x.add(x),
                (k, x, last, before) -> x.add(x).mul(last).sub(before.mul(2 * k))));
    }

    /** Hermite's polynomial as statisticians have it. */
    default Tensor hermitePolynomialHe(Tensor degree) {
        return Scope.tidy(() -> Polynomials.evaluate(
                self(), degree, x -> x, (k, x, last, before) -> x.mul(last).sub(before.mul(k))));
    }

    /** Laguerre's polynomial. */
    default Tensor laguerrePolynomialL(Tensor degree) {
        return Scope.tidy(() -> Polynomials.evaluate(
                self(),
                degree,
                x -> x.rsub(1),
                (k, x, last, before) ->
                        x.rsub(1).add(2 * k).mul(last).sub(before.mul(k)).div(k + 1)));
    }

    /** Legendre's polynomial. */
    default Tensor legendrePolynomialP(Tensor degree) {
        return Scope.tidy(() -> Polynomials.evaluate(
                self(),
                degree,
                x -> x,
                (k, x, last, before) ->
                        x.mul(2 * k + 1).mul(last).sub(before.mul(k)).div(k + 1)));
    }
}

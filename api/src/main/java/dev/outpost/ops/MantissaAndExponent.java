package dev.outpost.ops;

import dev.outpost.Tensor;

/**
 * Numbers as mantissa · 2^exponent.
 *
 * @param mantissa at least 0.5 and less than 1, but for the sign; 0, infinities and NaN as they are
 * @param exponent int32
 */
public record MantissaAndExponent(Tensor mantissa, Tensor exponent) {}

package dev.outpost.ops;

import dev.outpost.Tensor;

/**
 * Numbers as mantissa · 2^exponent.
 *
 * @param mantissa the mantissa, with a magnitude in [0.5, 1); 0, infinities and NaN are unchanged
 * @param exponent int32
 */
public record MantissaAndExponent(Tensor mantissa, Tensor exponent) {}

package dev.outpost.client.numbers;

import dev.outpost.types.Scalar;

/**
 * A number as an operand that each run of a program is given anew.
 *
 * @param scalar as it is now
 * @param number where it comes from
 */
public record LiveScalar(Scalar scalar, LiveNumber number) {}

package dev.outpost.client.numbers;

import dev.outpost.types.Scalar;

/**
 * An operand that is a number whose value may differ in each run of a program.
 *
 * @param scalar the present value
 * @param number the number that it comes from
 */
public record LiveScalar(Scalar scalar, LiveNumber number) {}

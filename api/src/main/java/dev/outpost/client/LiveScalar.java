package dev.outpost.client;

import dev.outpost.protocol.types.Scalar;

/**
 * A number of a program that each run is given anew.
 *
 * @param scalar as it is while the program is traced
 * @param column which of the program's numbers it is
 */
public record LiveScalar(Scalar scalar, int column) {}

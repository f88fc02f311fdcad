package dev.outpost.protocol.op;

/**
 * What is the same for all values of an op.
 *
 * @param code the number on the wire, stable for ever
 * @param label the name that errors and logs begin with
 * @param arity how many operands it takes, or {@link Op#VARIADIC}
 */
public record OpSignature(int code, String label, int arity) {}

package dev.outpost.protocol.op;

/**
 * The properties that all values of an op share.
 *
 * @param code the number on the wire, stable for ever
 * @param label the name at the beginning of errors and log messages
 * @param arity the number of operands, or {@link Op#VARIADIC}
 */
public record OpSignature(int code, String label, int arity) {}

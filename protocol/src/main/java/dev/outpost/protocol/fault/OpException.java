package dev.outpost.protocol.fault;

/**
 * An op was called with operands or attributes that it cannot take. The message reads op first, then what is wrong,
 * then both values: {@code matmul: inner dimensions differ, got [2, 3] and [4, 5]}.
 */
public sealed class OpException extends OutpostException permits IndexException {
    private final String op;

    public OpException(String op, String problem) {
        super(FaultKind.USER, op + ": " + problem);
        this.op = op;
    }

    /** The op that was called. */
    public String op() {
        return op;
    }
}

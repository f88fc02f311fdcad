package dev.outpost.types;

import org.jspecify.annotations.Nullable;

/**
 * An op was called with operands or attributes that it cannot take. The message reads op first, then what is wrong,
 * then both values: {@code matmul: inner dimensions differ, got [2, 3] and [4, 5]}.
 */
public sealed class OpException extends OutpostException permits IndexException {
    private final String op;
    private final String problem;

    public OpException(String op, String problem) {
        this(op, problem, null);
    }

    private OpException(String op, String problem, @Nullable Throwable cause) {
        super(FaultKind.USER, op + ": " + problem, cause);
        this.op = op;
        this.problem = problem;
    }

    /** The op that refused, of which nobody has to know where another called it. */
    public String op() {
        return op;
    }

    /** The same, told of the op that the user called. */
    public OpException of(String calledOp) {
        return new OpException(calledOp, problem, this);
    }
}

package dev.outpost.types;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if an op was called with operands or attributes that it cannot accept. The message names the op, then the problem, then both
 * values: {@code matmul: inner dimensions differ, got [2, 3] and [4, 5]}.
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

    /** Returns the op that refused its operands. If another op called it, see {@link #of}. */
    public String op() {
        return op;
    }

    /** Returns the same exception, attributed to the op that the user called. */
    public OpException of(String calledOp) {
        return new OpException(calledOp, problem, this);
    }
}

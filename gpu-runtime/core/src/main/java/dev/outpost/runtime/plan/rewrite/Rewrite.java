package dev.outpost.runtime.plan.rewrite;

import java.util.List;

/**
 * Takes out of a graph what need not be computed. It may say that a value is another one, of the same type and the same
 * bits, or that nobody needs an instruction; it never makes a new one. So whatever is left runs as it was recorded.
 *
 * <p>What may refuse its operands' values ({@link MayFault}) is neither merged nor dropped: its fault is the user's to see.
 */
@FunctionalInterface
public interface Rewrite {
    /** All of them, in the order in which they are applied. */
    List<Rewrite> ALL =
            List.of(new AlgebraicSimplification(), new CommonSubexpressionElimination(), new DeadCodeElimination());

    void apply(RewriteContext context);
}

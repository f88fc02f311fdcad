package dev.outpost.runtime.plan.rewrite;

import java.util.List;

/**
 * Removes unneeded instructions from a graph. A rewrite may replace a value by another one of the same type and bits,
 * or drop an instruction whose results are not needed. It never adds an instruction, so the remaining instructions run
 * as they were recorded.
 *
 * <p>Instructions that may fail on element values ({@link MayFault}) are neither merged nor dropped, because their
 * faults must reach the user.
 */
@FunctionalInterface
public interface Rewrite {
    /** All rewrites, in the order in which they are applied. */
    List<Rewrite> ALL =
            List.of(new AlgebraicSimplification(), new CommonSubexpressionElimination(), new DeadCodeElimination());

    void apply(RewriteContext context);
}

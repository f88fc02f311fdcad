package dev.outpost.nn;

/**
 * The functions that layers and losses compute, without their state (torch.nn.functional). Losses are averaged over their elements unless a
 * {@link Reduction} says otherwise; input and target broadcast if a loss is elementwise.
 *
 * <p>All methods are thread-safe. They throw {@link dev.outpost.types.OpException} at the call if a shape or dtype does not fit.
 */
public final class Functional extends LossFunctions {
    private Functional() {}
}

package dev.outpost.nn;

/**
 * The functions that layers and losses compute, without their state (torch.nn.functional). Losses are averaged over their elements unless a
 * {@link Reduction} says otherwise; input and target broadcast if a loss is elementwise.
 */
public final class Functional extends LossFunctions {
    private Functional() {}
}

package dev.outpost.nn;

/** Softmax of the negated input (torch.nn.Softmin). */
public final class Softmin extends FunctionLayer {
    /**
     * @param dim the dimension that adds up to 1
     */
    public Softmin(int dim) {
        super("dim=" + dim, input -> input.softmin(dim));
    }
}

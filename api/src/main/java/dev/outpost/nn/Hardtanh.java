package dev.outpost.nn;

/** x between two bounds (torch.nn.Hardtanh). */
public final class Hardtanh extends FunctionLayer {
    /** Uses min -1, max 1. */
    public Hardtanh() {
        this(-1, 1);
    }

    /**
     * @param min the lower bound
     * @param max the upper bound
     */
    public Hardtanh(double min, double max) {
        super("min_val=" + number(min) + ", max_val=" + number(max), input -> input.hardtanh(min, max));
    }
}

package dev.outpost.nn;

/** x if it is above a threshold, else another value (torch.nn.Threshold). */
public final class Threshold extends FunctionLayer {
    /**
     * @param threshold the bound that x must exceed
     * @param value the value elsewhere
     */
    public Threshold(double threshold, double value) {
        super(
                "threshold=" + number(threshold) + ", value=" + number(value),
                input -> input.threshold(threshold, value));
    }
}

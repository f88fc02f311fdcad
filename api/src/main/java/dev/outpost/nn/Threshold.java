package dev.outpost.nn;

/** x if it is above a threshold, else another value (torch.nn.Threshold). */
public final class Threshold extends FunctionLayer {
    /**
     * @param threshold what x must be above
     * @param value the value elsewhere
     */
    public Threshold(double threshold, double value) {
        super(
                "threshold=" + number(threshold) + ", value=" + number(value),
                input -> input.threshold(threshold, value));
    }
}

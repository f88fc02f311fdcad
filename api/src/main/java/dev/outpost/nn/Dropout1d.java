package dev.outpost.nn;

/** Zeroes whole channels of lines while training; see {@link Dropouts#dropout1d} (torch.nn.Dropout1d). */
public final class Dropout1d extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public Dropout1d() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public Dropout1d(double p) {
        super(p, Dropouts::dropout1d);
    }
}

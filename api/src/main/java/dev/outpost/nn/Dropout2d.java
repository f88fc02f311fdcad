package dev.outpost.nn;

/** Zeroes whole channels of images while training; see {@link Dropouts#dropout2d} (torch.nn.Dropout2d). */
public final class Dropout2d extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public Dropout2d() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public Dropout2d(double p) {
        super(p, Dropouts::dropout2d);
    }
}

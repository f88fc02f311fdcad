package dev.outpost.nn;

/** Zeroes whole channels of volumes while training; see {@link Dropouts#dropout3d} (torch.nn.Dropout3d). */
public final class Dropout3d extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public Dropout3d() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public Dropout3d(double p) {
        super(p, Dropouts::dropout3d);
    }
}

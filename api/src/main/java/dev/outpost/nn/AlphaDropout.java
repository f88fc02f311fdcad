package dev.outpost.nn;

/** Dropout for networks of SELU while training; see {@link Dropouts#alphaDropout} (torch.nn.AlphaDropout). */
public final class AlphaDropout extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public AlphaDropout() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public AlphaDropout(double p) {
        super(p, Dropouts::alphaDropout);
    }
}

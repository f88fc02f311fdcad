package dev.outpost.nn;

/** Dropout of whole channels for networks of SELU while training; see {@link Dropouts#featureAlphaDropout} (torch.nn.FeatureAlphaDropout). */
public final class FeatureAlphaDropout extends DropoutLayer {
    /** Uses a probability of 0.5. */
    public FeatureAlphaDropout() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public FeatureAlphaDropout(double p) {
        super(p, Dropouts::featureAlphaDropout);
    }
}

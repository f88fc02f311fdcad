package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** Dropout of whole channels for networks of SELU while training; see {@link Dropouts#featureAlphaDropout} (torch.nn.FeatureAlphaDropout). */
public final class FeatureAlphaDropout extends Module {
    private final double p;

    /** With probability 0.5. */
    public FeatureAlphaDropout() {
        this(0.5);
    }

    /** @param p the probability, between 0 and 1 */
    public FeatureAlphaDropout(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        this.p = p;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Dropouts.featureAlphaDropout(input, p, isTraining());
    }

    @Override
    protected String settings() {
        return "p=" + number(p);
    }
}

package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/**
 * Returns x if it is positive, else x times a factor. The factor is random for each element while training, and the mean in evaluation (Xu
 * et al., 2015; torch.nn.RReLU).
 */
public final class RReLU extends Module {
    private final double lower;
    private final double upper;

    /** Uses factors between 1/8 and 1/3. */
    public RReLU() {
        this(1.0 / 8, 1.0 / 3);
    }

    /** Uses factors in [lower, upper). */
    public RReLU(double lower, double upper) {
        if (!(lower <= upper)) {
            throw new OpException("rrelu", "the bounds must be in order, got " + lower + " and " + upper);
        }
        this.lower = lower;
        this.upper = upper;
    }

    @Override
    public Tensor forward(Tensor input) {
        if (!isTraining()) {
            return input.leakyRelu((lower + upper) / 2);
        }
        return Scope.tidy(() -> {
            Tensor factors = input.randLike().mul(upper - lower).add(lower);
            return input.where(input.ge(0), input.mul(factors));
        });
    }

    @Override
    protected String settings() {
        return "lower=" + lower + ", upper=" + upper;
    }
}

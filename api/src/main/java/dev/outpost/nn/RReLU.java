package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/**
 * x where it is positive, a factor times x elsewhere: random for each element while training, the mean in evaluation (Xu et al., 2015;
 * torch.nn.RReLU).
 */
public final class RReLU extends Module {
    private final double lower;
    private final double upper;

    /** With factors between 1/8 and 1/3. */
    public RReLU() {
        this(1.0 / 8, 1.0 / 3);
    }

    /** With factors in [lower, upper). */
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

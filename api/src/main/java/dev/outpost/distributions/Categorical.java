package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** One of several classes, as int64 (torch.distributions.Categorical). */
public final class Categorical extends Distribution {
    private final Tensor logits;

    private Categorical(Tensor logits) {
        super(leading(logits), Shape.SCALAR, logits);
        this.logits = Scope.tidy(() -> logits.sub(logits.logsumexp(-1, true)));
    }

    private static Shape leading(Tensor logits) {
        if (logits.dim() == 0 || logits.size(-1) == 0) {
            throw new OpException("categorical", "a dimension of classes is needed, got " + logits.shape());
        }
        return Shape.of(Arrays.copyOf(logits.shape().toArray(), logits.dim() - 1));
    }

    /**
     * Makes a distribution from probabilities along the last dimension, which need not add up to 1.
     *
     * {@snippet file="TrainingExamplesTest.java" region="categorical"}
     */
    public static Categorical ofProbabilities(Tensor probabilities) {
        return new Categorical(probabilities.log());
    }

    /** Makes a distribution from logarithms of probabilities along the last dimension, up to a constant. */
    public static Categorical ofLogits(Tensor logits) {
        return new Categorical(logits);
    }

    /** Returns the logarithms of probabilities, {@code [..., classes]}. */
    public Tensor logits() {
        return logits;
    }

    /** Returns the probabilities, {@code [..., classes]}. */
    public Tensor probabilities() {
        return logits.exp();
    }

    @Override
    Tensor draw(long[] shape) {
        // The index of the largest sum of a logit and Gumbel noise has this distribution (Maddison et al., 2014).
        long[] sizes = Arrays.copyOf(shape, shape.length + 1);
        sizes[shape.length] = logits.size(-1);
        return logits.sub(openUniform(sizes).log().neg().log()).argmax(-1);
    }

    @Override
    public Tensor logProb(Tensor value) {
        if (!value.dtype().isIntegral()) {
            throw new OpException("categorical", "classes are integers, got " + value.type());
        }
        return Scope.tidy(() -> {
            Tensor positions = value.int64().unsqueeze(-1);
            Shape shape = Shape.broadcast("categorical", leading(logits), value.shape());
            long[] sizes = Arrays.copyOf(shape.toArray(), shape.rank() + 1);
            sizes[shape.rank()] = logits.size(-1);
            Tensor all = logits.expand(sizes);
            sizes[shape.rank()] = 1;
            return all.gather(-1, positions.expand(sizes)).squeeze(-1);
        });
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> logits.exp().mul(logits.clampMin(-1e30)).sum(-1).neg());
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> logits.select(-1, 0).fullLike(Double.NaN));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> logits.select(-1, 0).fullLike(Double.NaN));
    }
}

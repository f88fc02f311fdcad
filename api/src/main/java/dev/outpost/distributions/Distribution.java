package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Locale;

/**
 * A distribution whose parameters are tensors (torch.distributions.Distribution): one for each element of the batch shape, over values of
 * the event shape. Random numbers come from the machine's stream. The values of parameters are not checked, so that no call waits for the
 * machine: invalid parameters give NaN.
 */
public abstract class Distribution {
    private final Shape batchShape;
    private final Shape eventShape;
    private final Tensor like;

    /**
     * Creates a distribution with floating parameters.
     *
     * @param like a parameter that has the machine and the dtype of the results
     */
    Distribution(Shape batchShape, Shape eventShape, Tensor like) {
        if (!like.dtype().isFloating()) {
            throw new OpException(name(), "floating parameters are needed, got " + like.type());
        }
        this.batchShape = batchShape;
        this.eventShape = eventShape;
        this.like = like;
    }

    final String name() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Returns the shape of the independent distributions. */
    public final Shape batchShape() {
        return batchShape;
    }

    /** Returns the shape of one value. */
    public final Shape eventShape() {
        return eventShape;
    }

    final Tensor like() {
        return like;
    }

    /** Draws values of each distribution; {@code shape} comes before the batch shape. No gradient flows through them. */
    public final Tensor sample(long... shape) {
        return GradMode.noGrad(() -> Scope.tidy(() -> draw(extended(shape)).detach()));
    }

    /**
     * Like {@link #sample}, but computed from the parameters so that gradients flow to them. Some distributions do
     * not support it.
     */
    public final Tensor rsample(long... shape) {
        if (!hasRsample()) {
            throw new OutpostException(
                    FaultKind.USER,
                    name()
                            + ": samples are no differentiable function of parameters here; sample() and logProb() give a"
                            + " score function estimate");
        }
        return Scope.tidy(() -> draw(extended(shape)));
    }

    /** Returns true if the distribution supports {@link #rsample}. */
    public boolean hasRsample() {
        return false;
    }

    /** Draws samples of this whole shape. */
    abstract Tensor draw(long[] shape);

    /** Returns the logarithm of the density or probability of values. Their last dimensions are the event shape. */
    public abstract Tensor logProb(Tensor value);

    /** Returns the entropy, with the batch shape. */
    public abstract Tensor entropy();

    /** Returns the mean, with the batch shape and the event shape. */
    public abstract Tensor mean();

    /** Returns the variance, with the batch shape and the event shape. */
    public abstract Tensor variance();

    /** Returns the square root of the variance. */
    public final Tensor stddev() {
        return Scope.tidy(() -> variance().sqrt());
    }

    final long[] extended(long... shape) {
        long[] batch = batchShape.toArray();
        long[] event = eventShape.toArray();
        long[] all = Arrays.copyOf(shape, shape.length + batch.length + event.length);
        System.arraycopy(batch, 0, all, shape.length, batch.length);
        System.arraycopy(event, 0, all, shape.length + batch.length, event.length);
        return all;
    }

    final Tensor uniform(long... shape) {
        return like.newZeros(shape).uniform_();
    }

    /** Returns uniform numbers in (0, 1): the smallest positive number replaces 0. */
    final Tensor openUniform(long... shape) {
        return uniform(shape).clampMin(like.dtype().bytes() == 8 ? 0x1p-1022 : 0x1p-126);
    }
}

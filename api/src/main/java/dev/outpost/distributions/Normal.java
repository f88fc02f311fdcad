package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** exp(-(x - mean)² / (2 · scale²)) / (scale · √(2π)) (torch.distributions.Normal). */
public final class Normal extends Distribution {
    private final Tensor location;
    private final Tensor scale;

    /**
     * Creates a distribution from parameters that broadcast.
     *
     * @param location the mean
     * @param scale the standard deviation
     */
    public Normal(Tensor location, Tensor scale) {
        super(Shape.broadcast("normal", location.shape(), scale.shape()), Shape.SCALAR, location);
        this.location = location.expand(batchShape());
        this.scale = scale.expand(batchShape());
    }

    /** Returns the mean, of the batch shape. */
    public Tensor location() {
        return location;
    }

    /** Returns the standard deviation, of the batch shape. */
    public Tensor scale() {
        return scale;
    }

    @Override
    public boolean hasRsample() {
        return true;
    }

    @Override
    Tensor draw(long[] shape) {
        return like().newZeros(shape).normal_().mul(scale).add(location);
    }

    /**
     * Returns the logarithm of the density at a value.
     *
     * {@snippet file="TrainingExamplesTest.java" region="normal"}
     */
    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> value.sub(location)
                .div(scale)
                .square()
                .mul(-0.5)
                .sub(scale.log())
                .sub(Math.log(2 * Math.PI) / 2));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> scale.log().add(0.5 + Math.log(2 * Math.PI) / 2));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> location.clone());
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> scale.square());
    }
}

package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** exp(-|x - location| / scale) / (2 · scale) (torch.distributions.Laplace). */
public final class Laplace extends Distribution {
    private final Tensor location;
    private final Tensor scale;

    /**
     * Creates a distribution from parameters that broadcast.
     *
     * @param location the mean
     * @param scale the scale
     */
    public Laplace(Tensor location, Tensor scale) {
        super(Shape.broadcast("laplace", location.shape(), scale.shape()), Shape.SCALAR, location);
        this.location = location.expand(batchShape());
        this.scale = scale.expand(batchShape());
    }

    /** Returns the mean, of the batch shape. */
    public Tensor location() {
        return location;
    }

    /** Returns the scale, of the batch shape. */
    public Tensor scale() {
        return scale;
    }

    @Override
    public boolean hasRsample() {
        return true;
    }

    @Override
    Tensor draw(long[] shape) {
        Tensor even = uniform(shape).sub(0.5);
        Tensor size = even.abs()
                .mul(-2)
                .clampMin(-1 + (like().dtype().bytes() == 8 ? 0x1p-53 : 0x1p-24))
                .log1p();
        return location.sub(scale.mul(even.sign()).mul(size));
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(
                () -> scale.mul(2).log().neg().sub(value.sub(location).abs().div(scale)));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> scale.mul(2).log().add(1));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> location.clone());
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> scale.square().mul(2));
    }
}

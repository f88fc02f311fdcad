package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** The usual first values (torch.nn.init). The same seed gives the same weights. */
public final class Init {
    private Init() {}

    public static Initializer zeros() {
        return constant(0);
    }

    public static Initializer ones() {
        return constant(1);
    }

    public static Initializer constant(double value) {
        return (machine, shape, dtype) -> machine.full(value, dtype, shape.toArray());
    }

    /** Evenly in [low, high). */
    public static Initializer uniform(double low, double high) {
        return (machine, shape, dtype) -> spread(machine.rand(dtype, shape.toArray()), high - low, low);
    }

    public static Initializer normal(double mean, double deviation) {
        return (machine, shape, dtype) -> spread(machine.randn(dtype, shape.toArray()), deviation, mean);
    }

    /** Glorot and Bengio, 2010: keeps the variance on both ways. */
    public static Initializer xavierUniform(double gain) {
        return (machine, shape, dtype) ->
                symmetric(Math.sqrt(3) * xavierDeviation(shape, gain)).create(machine, shape, dtype);
    }

    /** As {@link #xavierUniform} with the same variance. */
    public static Initializer xavierNormal(double gain) {
        return (machine, shape, dtype) ->
                normal(0, xavierDeviation(shape, gain)).create(machine, shape, dtype);
    }

    /** He et al., 2015, for layers that {@link Nonlinearity#RELU} follows. */
    public static Initializer kaimingUniform() {
        return kaimingUniform(0, Fan.IN, Nonlinearity.RELU);
    }

    /**
     * He et al., 2015.
     *
     * @param slope for negative inputs, of {@link Nonlinearity#LEAKY_RELU}
     */
    public static Initializer kaimingUniform(double slope, Fan fan, Nonlinearity nonlinearity) {
        return (machine, shape, dtype) -> symmetric(Math.sqrt(3) * kaimingDeviation(shape, slope, fan, nonlinearity))
                .create(machine, shape, dtype);
    }

    /** As {@link #kaimingUniform()} with the same variance. */
    public static Initializer kaimingNormal() {
        return kaimingNormal(0, Fan.IN, Nonlinearity.RELU);
    }

    /** As {@link #kaimingUniform(double, Fan, Nonlinearity)} with the same variance. */
    public static Initializer kaimingNormal(double slope, Fan fan, Nonlinearity nonlinearity) {
        return (machine, shape, dtype) ->
                normal(0, kaimingDeviation(shape, slope, fan, nonlinearity)).create(machine, shape, dtype);
    }

    /** Evenly in [-bound, bound). */
    static Initializer symmetric(double bound) {
        return uniform(-bound, bound);
    }

    /** The standard deviation that {@link #xavierUniform} aims at. */
    static double xavierDeviation(Shape shape, double gain) {
        return gain * Math.sqrt(2.0 / (Fan.IN.of(shape) + Fan.OUT.of(shape)));
    }

    /** The standard deviation that {@link #kaimingUniform} aims at. */
    static double kaimingDeviation(Shape shape, double slope, Fan fan, Nonlinearity nonlinearity) {
        return nonlinearity.gain(slope) / Math.sqrt(fan.of(shape));
    }

    /** In place, so that no intermediate waits for the garbage collector. */
    private static Tensor spread(Tensor drawn, double factor, double shift) {
        drawn.mul_(factor);
        if (shift != 0) {
            drawn.add_(shift);
        }
        return drawn;
    }
}

package dev.outpost.nn;

import dev.outpost.Generator;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.Shape;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The usual initial values of parameters (torch.nn.init). Methods without an underscore return the first values of a
 * {@link Parameter}. Methods with an underscore fill an existing tensor, without autograd, and return it. The same
 * seed gives the same weights, and so does a {@link Generator} in the same state; null stands for the machine's
 * stream.
 *
 * <pre>{@code
 * layer.weight().initialize(Init.orthogonal(1));        // before or after the layer went to a machine
 * Init.orthogonal_(layer.weight().tensor());            // after it
 * }</pre>
 *
 * <p>All methods are thread-safe.
 */
public final class Init {
    private static final double DEFAULT_SLOPE = 0.01;

    private Init() {}

    /** Returns the factor by which weights before a nonlinearity are larger than the weights of a linear layer. */
    public static double calculateGain(Nonlinearity nonlinearity) {
        return nonlinearity.gain(DEFAULT_SLOPE);
    }

    /**
     * Like {@link #calculateGain(Nonlinearity)}, but with a slope for negative inputs of {@link
     * Nonlinearity#LEAKY_RELU}.
     */
    public static double calculateGain(Nonlinearity nonlinearity, double slope) {
        return nonlinearity.gain(slope);
    }

    // ---- first values of parameters

    public static Initializer zeros() {
        return constant(0);
    }

    public static Initializer ones() {
        return constant(1);
    }

    public static Initializer constant(double value) {
        return (machine, shape, dtype) -> machine.full(value, dtype, shape.toArray());
    }

    /** Returns an initializer with uniform numbers in [low, high). */
    public static Initializer uniform(double low, double high) {
        return (machine, shape, dtype) -> spread(machine.rand(dtype, shape.toArray()), high - low, low);
    }

    public static Initializer normal(double mean, double deviation) {
        return (machine, shape, dtype) -> spread(machine.randn(dtype, shape.toArray()), deviation, mean);
    }

    /**
     * Returns an initializer with uniform numbers that keeps the variance in both passes (Glorot and Bengio, 2010).
     */
    public static Initializer xavierUniform(double gain) {
        return (machine, shape, dtype) ->
                symmetric(Math.sqrt(3) * xavierDeviation(shape, gain)).create(machine, shape, dtype);
    }

    /** Returns an initializer with normal numbers of the variance of {@link #xavierUniform}. */
    public static Initializer xavierNormal(double gain) {
        return (machine, shape, dtype) ->
                normal(0, xavierDeviation(shape, gain)).create(machine, shape, dtype);
    }

    /** Returns initial values for layers that are followed by {@link Nonlinearity#RELU} (He et al., 2015). */
    public static Initializer kaimingUniform() {
        return kaimingUniform(0, Fan.IN, Nonlinearity.RELU);
    }

    /**
     * Returns an initializer with uniform numbers that keeps the variance in one of the passes (He et al., 2015).
     *
     * @param slope the slope for negative inputs of {@link Nonlinearity#LEAKY_RELU}
     */
    public static Initializer kaimingUniform(double slope, Fan fan, Nonlinearity nonlinearity) {
        return (machine, shape, dtype) -> symmetric(Math.sqrt(3) * kaimingDeviation(shape, slope, fan, nonlinearity))
                .create(machine, shape, dtype);
    }

    /** Returns an initializer with normal numbers of the variance of {@link #kaimingUniform()}. */
    public static Initializer kaimingNormal() {
        return kaimingNormal(0, Fan.IN, Nonlinearity.RELU);
    }

    /**
     * Returns an initializer with normal numbers of the variance of {@link #kaimingUniform(double, Fan,
     * Nonlinearity)}.
     */
    public static Initializer kaimingNormal(double slope, Fan fan, Nonlinearity nonlinearity) {
        return (machine, shape, dtype) ->
                normal(0, kaimingDeviation(shape, slope, fan, nonlinearity)).create(machine, shape, dtype);
    }

    /**
     * Returns an initializer with normal numbers within [low, high] (see {@link #truncNormal_(Tensor, double, double,
     * double, double)}).
     */
    public static Initializer truncNormal(double mean, double deviation, double low, double high) {
        return filling(tensor -> truncNormal_(tensor, mean, deviation, low, high));
    }

    /** Returns an initializer with ones on the diagonal of a matrix and zeros elsewhere. */
    public static Initializer eye() {
        return filling(Init::eye_);
    }

    /**
     * Returns an initializer for kernels of a convolution that pass their channel on unchanged (see {@link
     * #dirac_(Tensor, int)}).
     */
    public static Initializer dirac(int groups) {
        return filling(tensor -> dirac_(tensor, groups));
    }

    /** Returns an initializer with orthogonal rows or columns (Saxe et al., 2013). */
    public static Initializer orthogonal(double gain) {
        return filling(tensor -> orthogonal_(tensor, gain));
    }

    /** Returns an initializer with normal numbers and a share of zeros in each column (Martens, 2010). */
    public static Initializer sparse(double sparsity, double deviation) {
        return filling(tensor -> sparse_(tensor, sparsity, deviation));
    }

    private static Initializer filling(UnaryOperator<Tensor> fill) {
        return (machine, shape, dtype) -> fill.apply(machine.zeros(dtype, shape.toArray()));
    }

    /** Returns an initializer with uniform numbers in [-bound, bound). */
    static Initializer symmetric(double bound) {
        return uniform(-bound, bound);
    }

    /** Returns the standard deviation of {@link #xavierUniform}. */
    static double xavierDeviation(Shape shape, double gain) {
        return gain * Math.sqrt(2.0 / (Fan.IN.of(shape) + Fan.OUT.of(shape)));
    }

    /** Returns the standard deviation of {@link #kaimingUniform}. */
    static double kaimingDeviation(Shape shape, double slope, Fan fan, Nonlinearity nonlinearity) {
        return nonlinearity.gain(slope) / Math.sqrt(fan.of(shape));
    }

    /** Scales and shifts in place, so that no intermediate waits for the garbage collector. */
    private static Tensor spread(Tensor drawn, double factor, double shift) {
        drawn.mul_(factor);
        if (shift != 0) {
            drawn.add_(shift);
        }
        return drawn;
    }

    // ---- filling an existing tensor

    /** Fills with uniform numbers in [0, 1). */
    public static Tensor uniform_(Tensor tensor) {
        return uniform_(tensor, 0, 1);
    }

    /** Fills with uniform numbers in [low, high). */
    public static Tensor uniform_(Tensor tensor, double low, double high) {
        return uniform_(tensor, low, high, null);
    }

    /** Same as {@link #uniform_(Tensor, double, double)}. */
    public static Tensor uniform_(Tensor tensor, double low, double high, @Nullable Generator generator) {
        return fill(tensor, into -> into.uniform_(low, high, generator));
    }

    /** Fills with standard normal numbers. */
    public static Tensor normal_(Tensor tensor) {
        return normal_(tensor, 0, 1);
    }

    /** Fills with normal numbers of this mean and standard deviation. */
    public static Tensor normal_(Tensor tensor, double mean, double deviation) {
        return normal_(tensor, mean, deviation, null);
    }

    /** Same as {@link #normal_(Tensor, double, double)}. */
    public static Tensor normal_(Tensor tensor, double mean, double deviation, @Nullable Generator generator) {
        return fill(tensor, into -> into.normal_(mean, deviation, generator));
    }

    /** Fills with standard normal numbers within [-2, 2]. */
    public static Tensor truncNormal_(Tensor tensor) {
        return truncNormal_(tensor, 0, 1, -2, 2);
    }

    /** Fills with normal numbers within [low, high], by the inverse of the distribution function. */
    public static Tensor truncNormal_(Tensor tensor, double mean, double deviation, double low, double high) {
        return truncNormal_(tensor, mean, deviation, low, high, null);
    }

    /** Same as {@link #truncNormal_(Tensor, double, double, double, double)}. */
    public static Tensor truncNormal_(
            Tensor tensor, double mean, double deviation, double low, double high, @Nullable Generator generator) {
        return fill(tensor, into -> Weights.truncNormal(into, mean, deviation, low, high, generator));
    }

    /** Fills with one number. */
    public static Tensor constant_(Tensor tensor, double value) {
        return fill(tensor, into -> into.fill_(value));
    }

    public static Tensor ones_(Tensor tensor) {
        return constant_(tensor, 1);
    }

    public static Tensor zeros_(Tensor tensor) {
        return constant_(tensor, 0);
    }

    /** Fills a matrix with ones on the diagonal and zeros elsewhere. */
    public static Tensor eye_(Tensor matrix) {
        return fill(matrix, Weights::eye);
    }

    /** Same as {@code dirac_(kernels, 1)}. */
    public static Tensor dirac_(Tensor kernels) {
        return dirac_(kernels, 1);
    }

    /**
     * Fills kernels of a convolution with a single 1 in their middle, so that as many channels as possible pass unchanged.
     *
     * @param kernels {@code [out, in, kernel…]}, with one to three dimensions of the kernel
     * @param groups the number of equal parts of the outputs, each of which gets the channels from the first on
     */
    public static Tensor dirac_(Tensor kernels, int groups) {
        return fill(kernels, into -> Weights.dirac(into, groups));
    }

    /** Same as {@code xavierUniform_(weight, 1)}. */
    public static Tensor xavierUniform_(Tensor weight) {
        return xavierUniform_(weight, 1);
    }

    /** Fills with uniform numbers in ±gain · √(6 / (fan in + fan out)) (Glorot and Bengio, 2010). */
    public static Tensor xavierUniform_(Tensor weight, double gain) {
        return xavierUniform_(weight, gain, null);
    }

    /** Same as {@link #xavierUniform_(Tensor, double)}. */
    public static Tensor xavierUniform_(Tensor weight, double gain, @Nullable Generator generator) {
        double bound = Math.sqrt(3) * xavierDeviation(weight.shape(), gain);
        return uniform_(weight, -bound, bound, generator);
    }

    /** Same as {@code xavierNormal_(weight, 1)}. */
    public static Tensor xavierNormal_(Tensor weight) {
        return xavierNormal_(weight, 1);
    }

    /** Fills with normal numbers of deviation gain · √(2 / (fan in + fan out)) (Glorot and Bengio, 2010). */
    public static Tensor xavierNormal_(Tensor weight, double gain) {
        return xavierNormal_(weight, gain, null);
    }

    /** Same as {@link #xavierNormal_(Tensor, double)}. */
    public static Tensor xavierNormal_(Tensor weight, double gain, @Nullable Generator generator) {
        return normal_(weight, 0, xavierDeviation(weight.shape(), gain), generator);
    }

    /** Same as {@code kaimingUniform_(weight, 0, Fan.IN, Nonlinearity.LEAKY_RELU)}. */
    public static Tensor kaimingUniform_(Tensor weight) {
        return kaimingUniform_(weight, 0, Fan.IN, Nonlinearity.LEAKY_RELU);
    }

    /**
     * Fills with uniform numbers in ±gain · √(3 / fan) (He et al., 2015). A weight without elements stays as it is.
     *
     * @param slope the slope for negative inputs of {@link Nonlinearity#LEAKY_RELU}
     */
    public static Tensor kaimingUniform_(Tensor weight, double slope, Fan fan, Nonlinearity nonlinearity) {
        return kaimingUniform_(weight, slope, fan, nonlinearity, null);
    }

    /** Same as {@link #kaimingUniform_(Tensor, double, Fan, Nonlinearity)}. */
    public static Tensor kaimingUniform_(
            Tensor weight, double slope, Fan fan, Nonlinearity nonlinearity, @Nullable Generator generator) {
        if (weight.numel() == 0) {
            return weight;
        }
        double bound = Math.sqrt(3) * kaimingDeviation(weight.shape(), slope, fan, nonlinearity);
        return uniform_(weight, -bound, bound, generator);
    }

    /** Same as {@code kaimingNormal_(weight, 0, Fan.IN, Nonlinearity.LEAKY_RELU)}. */
    public static Tensor kaimingNormal_(Tensor weight) {
        return kaimingNormal_(weight, 0, Fan.IN, Nonlinearity.LEAKY_RELU);
    }

    /**
     * Fills with normal numbers of deviation gain / √fan (He et al., 2015). A weight without elements stays as it is.
     *
     * @param slope the slope for negative inputs of {@link Nonlinearity#LEAKY_RELU}
     */
    public static Tensor kaimingNormal_(Tensor weight, double slope, Fan fan, Nonlinearity nonlinearity) {
        return kaimingNormal_(weight, slope, fan, nonlinearity, null);
    }

    /** Same as {@link #kaimingNormal_(Tensor, double, Fan, Nonlinearity)}. */
    public static Tensor kaimingNormal_(
            Tensor weight, double slope, Fan fan, Nonlinearity nonlinearity, @Nullable Generator generator) {
        return weight.numel() == 0
                ? weight
                : normal_(weight, 0, kaimingDeviation(weight.shape(), slope, fan, nonlinearity), generator);
    }

    /** Same as {@code orthogonal_(tensor, 1)}. */
    public static Tensor orthogonal_(Tensor tensor) {
        return orthogonal_(tensor, 1);
    }

    /**
     * Fills with orthogonal rows times a gain, or with orthogonal columns if there are more rows than columns (Saxe
     * et al., 2013). All dimensions after the first count as columns.
     */
    public static Tensor orthogonal_(Tensor tensor, double gain) {
        return orthogonal_(tensor, gain, null);
    }

    /** Same as {@link #orthogonal_(Tensor, double)}. */
    public static Tensor orthogonal_(Tensor tensor, double gain, @Nullable Generator generator) {
        return fill(tensor, into -> Weights.orthogonal(into, gain, generator));
    }

    /** Same as {@code sparse_(matrix, sparsity, 0.01)}. */
    public static Tensor sparse_(Tensor matrix, double sparsity) {
        return sparse_(matrix, sparsity, 0.01);
    }

    /** Fills with normal numbers around 0, with ⌈sparsity · rows⌉ zeros at random places of each column (Martens, 2010). */
    public static Tensor sparse_(Tensor matrix, double sparsity, double deviation) {
        return sparse_(matrix, sparsity, deviation, null);
    }

    /** Same as {@link #sparse_(Tensor, double, double)}. */
    public static Tensor sparse_(Tensor matrix, double sparsity, double deviation, @Nullable Generator generator) {
        return fill(matrix, into -> Weights.sparse(into, sparsity, deviation, generator));
    }

    private static Tensor fill(Tensor tensor, Consumer<Tensor> filling) {
        ArgumentChecks.required(tensor, "the tensor");
        GradMode.noGrad(() -> filling.accept(tensor));
        return tensor;
    }
}

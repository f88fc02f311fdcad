package dev.outpost.ops;

import dev.outpost.Generator;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.InPlace;
import dev.outpost.internal.ops.Drawing;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ops that fill the tensor with random numbers by PyTorch's formulas. They change every view of its storage. Each op
 * returns the tensor. Numbers come from the machine's seeded stream, or from a {@link Generator} if one is given.
 * 16-bit floats are drawn in float32. The old value gets a gradient of zeros. A leaf that requires gradients can be
 * filled only inside {@link GradMode#noGrad}.
 */
public interface RandomFillOps {
    Tensor self();

    // ---- continuous; floating dtypes only

    /** Fills uniformly in [0, 1). */
    default Tensor uniform_() {
        return uniform_(0, 1);
    }

    /** Fills uniformly in [from, to). */
    default Tensor uniform_(double from, double to) {
        return uniform_(from, to, null);
    }

    /** Like {@link #uniform_(double, double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor uniform_(double from, double to, @Nullable Generator generator) {
        Numerics.requireFloating("uniform_", self());
        if (!(from <= to) || !Double.isFinite(to - from)) {
            throw new OpException("uniform_", "from must not be above to, got " + from + " and " + to);
        }
        return filled(() -> uniform(generator).mul(to - from).add(from));
    }

    /** Fills with standard normal numbers. */
    default Tensor normal_() {
        return normal_(0, 1);
    }

    /** Fills with normal numbers of the given mean and standard deviation. */
    default Tensor normal_(double mean, double deviation) {
        return normal_(mean, deviation, null);
    }

    /** Like {@link #normal_(double, double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor normal_(double mean, double deviation, @Nullable Generator generator) {
        return filled(() -> normal("normal_", mean, deviation, generator));
    }

    /** Same as {@code logNormal_(1, 2)}. */
    default Tensor logNormal_() {
        return logNormal_(1, 2);
    }

    /**
     * Fills with numbers of the density exp(-(log(x) - mean)² / (2 · deviation²)) / (x · deviation · √(2π)): e to the
     * power of normal numbers.
     */
    default Tensor logNormal_(double mean, double deviation) {
        return logNormal_(mean, deviation, null);
    }

    /** Like {@link #logNormal_(double, double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor logNormal_(double mean, double deviation, @Nullable Generator generator) {
        if (!(deviation > 0)) {
            throw new OpException("log_normal_", "the deviation must be positive, got " + deviation);
        }
        return filled(() -> normal("log_normal_", mean, deviation, generator).exp());
    }

    /** Same as {@code exponential_(1)}. */
    default Tensor exponential_() {
        return exponential_(1);
    }

    /** Fills with numbers of the density rate · exp(-rate · x). */
    default Tensor exponential_(double rate) {
        return exponential_(rate, null);
    }

    /** Like {@link #exponential_(double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor exponential_(double rate, @Nullable Generator generator) {
        Numerics.requireFloating("exponential_", self());
        if (!(rate > 0)) {
            throw new OpException("exponential_", "the rate must be positive, got " + rate);
        }
        return filled(() -> uniform(generator).neg().log1p().mul(-1 / rate));
    }

    /** Same as {@code cauchy_(0, 1)}. */
    default Tensor cauchy_() {
        return cauchy_(0, 1);
    }

    /** Fills with numbers of the density 1 / (π · scale · (1 + ((x - median) / scale)²)). */
    default Tensor cauchy_(double median, double scale) {
        return cauchy_(median, scale, null);
    }

    /** Like {@link #cauchy_(double, double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor cauchy_(double median, double scale, @Nullable Generator generator) {
        Numerics.requireFloating("cauchy_", self());
        if (!(scale > 0)) {
            throw new OpException("cauchy_", "the scale must be positive, got " + scale);
        }
        return filled(
                () -> uniform(generator).sub(0.5).mul(Math.PI).tan().mul(scale).add(median));
    }

    // ---- discrete; every dtype

    /**
     * Fills with numbers of trials up to the first success, at least 1, if each trial succeeds with a probability p
     * in (0, 1).
     */
    default Tensor geometric_(double p) {
        return geometric_(p, null);
    }

    /** Like {@link #geometric_(double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor geometric_(double p, @Nullable Generator generator) {
        if (!(p > 0 && p < 1)) {
            throw new OpException("geometric_", "the probability must be between 0 and 1, got " + p);
        }
        return filled(() ->
                uniform(generator).neg().log1p().div(Math.log1p(-p)).ceil().clampMin(1));
    }

    /** Same as {@code bernoulli_(0.5)}. */
    default Tensor bernoulli_() {
        return bernoulli_(0.5);
    }

    /** Fills with 1 with probability p, else with 0. */
    default Tensor bernoulli_(double p) {
        return bernoulli_(p, null);
    }

    /** Like {@link #bernoulli_(double)}, but with a generator. Null stands for the machine's stream. */
    default Tensor bernoulli_(double p, @Nullable Generator generator) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("bernoulli_", "the probability must be between 0 and 1, got " + p);
        }
        return filled(() -> uniform(generator).lt(p));
    }

    /** Fills with 1 with the probability in {@code p}, which broadcasts, else with 0. */
    default Tensor bernoulli_(Tensor p) {
        return bernoulli_(p, null);
    }

    /** Like {@link #bernoulli_(Tensor)}, but with a generator. Null stands for the machine's stream. */
    default Tensor bernoulli_(Tensor p, @Nullable Generator generator) {
        Numerics.requireFloating("bernoulli_", p);
        if (!p.shape().broadcastsTo(self().shape())) {
            throw new OpException(
                    "bernoulli_", "the probabilities do not broadcast, got " + p.shape() + " into " + self().shape());
        }
        return filled(() -> uniform(generator).lt(p.detach()));
    }

    /**
     * Fills with whole numbers from 0. The upper bound is the largest number of an integral dtype, or the largest number up to which a
     * floating dtype represents all whole numbers, for example 2^24 for float32. For int64, the largest number itself is excluded.
     */
    default Tensor random_() {
        return random_(null);
    }

    /** Like {@link #random_()}, but with a generator. Null stands for the machine's stream. */
    default Tensor random_(@Nullable Generator generator) {
        long largest = largestWhole(self().dtype());
        return whole(0, largest == Long.MAX_VALUE ? largest : largest + 1, generator);
    }

    /** Fills with whole numbers in [0, to). */
    default Tensor random_(long to) {
        return random_(0, to);
    }

    /** Fills with whole numbers in [from, to). */
    default Tensor random_(long from, long to) {
        return random_(from, to, null);
    }

    /** Like {@link #random_(long, long)}, but with a generator. Null stands for the machine's stream. */
    default Tensor random_(long from, long to, @Nullable Generator generator) {
        DType dtype = self().dtype();
        long largest = largestWhole(dtype);
        long smallest = dtype == DType.BOOL || dtype == DType.UINT8 ? 0 : -largest - (dtype.isFloating() ? 0 : 1);
        if (from >= to) {
            throw new OpException("random_", "from must be below to, got " + from + " and " + to);
        }
        if (from < smallest || to - 1 > largest) {
            throw new OpException(
                    "random_",
                    dtype + " holds whole numbers from " + smallest + " to " + largest + ", got " + from + " and "
                            + to);
        }
        return whole(from, to, generator);
    }

    // ---- shared

    private static long largestWhole(DType dtype) {
        return switch (dtype) {
            case BOOL -> 1;
            case UINT8 -> 255;
            case INT8 -> Byte.MAX_VALUE;
            case INT16 -> Short.MAX_VALUE;
            case INT32 -> Integer.MAX_VALUE;
            case INT64 -> Long.MAX_VALUE;
            case BFLOAT16 -> 1L << 8;
            case FLOAT16 -> 1L << 11;
            case FLOAT32 -> 1L << 24;
            case FLOAT64 -> 1L << 53;
        };
    }

    private Tensor whole(long from, long to, @Nullable Generator generator) {
        return filled(() ->
                Creation.random(self().machine(), Random.Fn.INTEGER, DType.INT64, self().shape(), from, to, generator));
    }

    private Tensor normal(String op, double mean, double deviation, @Nullable Generator generator) {
        Numerics.requireFloating(op, self());
        if (!(deviation >= 0)) {
            throw new OpException(op, "the deviation must not be negative, got " + deviation);
        }
        return drawn(Random.Fn.NORMAL, generator).mul(deviation).add(mean);
    }

    private Tensor uniform(@Nullable Generator generator) {
        return drawn(Random.Fn.UNIFORM, generator);
    }

    private Tensor drawn(Random.Fn fn, @Nullable Generator generator) {
        DType dtype = self().dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
        return Creation.random(self().machine(), fn, dtype, self().shape(), 0, 0, generator);
    }

    private Tensor filled(Supplier<Tensor> values) {
        Tensor cast = Scope.tidy(() -> values.get().to(self().dtype()));
        InPlace.overwrite(self(), cast);
        cast.close();
        return self();
    }

    /** Like {@link #multinomial(long, boolean, Generator)}, but with numbers from the machine's stream. */
    default Tensor multinomial(long samples, boolean replacement) {
        return multinomial(samples, replacement, null);
    }

    /**
     * Draws class indices by weights: {@code [classes]} gives {@code [samples]}, {@code [rows, classes]} gives {@code [rows, samples]},
     * int64.
     *
     * @param replacement true if a class may be drawn again; if false, at least {@code samples} classes must have a weight above 0
     * @param generator the source of random numbers; null means the machine's stream
     * @throws OpException if the weights have another number of dimensions or are not floating, or if more classes are drawn than exist
     */
    default Tensor multinomial(long samples, boolean replacement, @Nullable Generator generator) {
        return Scope.tidy(() -> Drawing.multinomial(self(), samples, replacement, generator));
    }

    /** Like {@link #poisson(Generator)}, but with numbers from the machine's stream. */
    default Tensor poisson() {
        return poisson(null);
    }

    /**
     * Draws Poisson-distributed numbers whose rates are the elements (torch.poisson), by inversion of the distribution function. The
     * result has the shape and dtype of the rates. It is NaN where a rate is negative or NaN. Rates may be up to 10^9.
     *
     * @param generator the source of random numbers; null means the machine's stream
     */
    default Tensor poisson(@Nullable Generator generator) {
        return Scope.tidy(() -> Drawing.poisson(self(), generator));
    }
}

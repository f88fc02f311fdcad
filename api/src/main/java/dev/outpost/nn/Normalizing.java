package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Writes;
import dev.outpost.ops.DivMode;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Normalizes to mean 0 and variance 1 over different dimensions; see {@link Functional}. */
final class Normalizing {
    private Normalizing() {}

    /** Normalizes over some dimensions, which have size 1 in mean and deviation. */
    static Normalized over(Tensor input, double eps, int... dims) {
        Tensor mean = input.mean(dims, true);
        Tensor centered = input.sub(mean);
        Tensor inverseDeviation = centered.square().mean(dims, true).add(eps).rsqrt();
        return new Normalized(centered.mul(inverseDeviation), mean, inverseDeviation);
    }

    /**
     * Returns all dimensions except the dimension of channels and, if {@code andBatch}, the dimension of the batch.
     */
    private static int[] withoutChannels(Tensor input, boolean andBatch) {
        return IntStream.range(0, input.dim())
                .filter(dim -> dim != 1 && (dim != 0 || andBatch))
                .toArray();
    }

    static Normalized batch(
            Tensor input,
            RunningStatistics running,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            boolean training,
            double eps) {
        if (input.numel() == 0) {
            return new Normalized(input.clone(), input.newZeros(0), input.newZeros(0));
        }
        requireChannels("batch_norm", input);
        if (!training) {
            Tensor inverseDeviation = running.variance().add(eps).rsqrt();
            Tensor normal = input.sub(perChannel(running.mean(), input)).mul(perChannel(inverseDeviation, input));
            Tensor none = input.newZeros(0);
            return new Normalized(scaled(normal, weight, bias), none, none);
        }
        Normalized normal = over(input, eps, withoutChannels(input, true));
        running.track(input, normal, eps);
        return new Normalized(
                scaled(normal.output(), weight, bias),
                normal.mean().flatten(),
                normal.inverseDeviation().flatten());
    }

    static Tensor instance(
            Tensor input, RunningStatistics running, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        requireChannels("instance_norm", input);
        requireSeveral("instance_norm", input, places(input));
        Normalized normal = over(input, eps, withoutChannels(input, false));
        running.track(input, normal, eps);
        return scaled(normal.output(), weight, bias);
    }

    static Tensor group(Tensor input, int groups, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        requireChannels("group_norm", input);
        if (groups < 1 || input.size(1) % groups != 0) {
            throw new OpException(
                    "group_norm", "the channels must divide into groups, got " + groups + " and " + input.shape());
        }
        requireSeveral("group_norm", input, input.size(0) * (input.size(1) / groups) * places(input));
        Tensor grouped = wide(input).reshape(input.size(0), groups, input.numel() == 0 ? 0 : -1);
        return scaled(over(grouped, eps, -1).output().reshape(input.shape()), weight, bias)
                .to(input.dtype());
    }

    /** Converts 16-bit floats to float32, because intermediate rounding would lose too much. */
    private static Tensor wide(Tensor input) {
        return input.dtype().bytes() == 2 ? input.float32() : input;
    }

    /** Returns the number of elements of each channel of a sample. */
    private static long places(Tensor input) {
        return input.size(1) == 0 || input.size(0) == 0 ? 0 : input.numel() / (input.size(0) * input.size(1));
    }

    /** Fails for a single value, because it equals its mean and the result would always be 0. */
    private static void requireSeveral(String op, Tensor input, long values) {
        if (values == 1) {
            throw new OpException(op, "more than one value is needed for a mean, got " + input.shape());
        }
    }

    private static void requireChannels(String op, Tensor input) {
        if (input.dim() < 2) {
            throw new OpException(op, "a batch of channels is needed, got " + input.shape());
        }
    }

    private static Tensor scaled(Tensor normal, @Nullable Tensor weight, @Nullable Tensor bias) {
        Tensor scaled = weight == null ? normal : normal.mul(perChannel(weight, normal));
        return bias == null ? scaled : scaled.add(perChannel(bias, scaled));
    }

    private static Tensor perChannel(Tensor vector, Tensor input) {
        long[] sizes = new long[input.dim() - 1];
        Arrays.fill(sizes, 1);
        sizes[0] = vector.numel();
        return vector.reshape(sizes);
    }

    /**
     * The statistics of batches that are kept for evaluation.
     *
     * @param mean the running mean of each channel, or null
     * @param variance the running variance of each channel, or null
     * @param momentum the weight of a batch
     */
    record RunningStatistics(
            @Nullable Tensor mean, @Nullable Tensor variance, double momentum) {
        /** Updates the running statistics. As in PyTorch, the kept variance is unbiased. */
        void track(Tensor input, Normalized normal, double eps) {
            if (mean == null) {
                return;
            }
            long channels = input.size(1);
            long instances = normal.mean().numel() / channels;
            long values = input.numel() / channels / instances;
            GradMode.noGrad(() -> {
                Tensor variances =
                        normal.inverseDeviation().detach().square().reciprocal().sub(eps);
                Tensor unbiased = variances.reshape(instances, channels).mean(0).mul(values / (values - 1.0));
                Tensor means =
                        normal.mean().detach().reshape(instances, channels).mean(0);
                Writes.withLocks(List.of(mean, variance), () -> {
                    mean.mul_(1 - momentum).add_(means, momentum);
                    return variance.mul_(1 - momentum).add_(unbiased, momentum);
                });
            });
        }
    }

    /** Divides the input by a power of the mean square of neighbouring channels. */
    static Tensor localResponse(Tensor input, long size, double alpha, double beta, double k) {
        if (input.dim() < 3 || size < 1) {
            throw new OpException(
                    "local_response_norm",
                    "a batch of channels with a length and a size of at least 1 are needed, got " + input.shape()
                            + " and " + size);
        }
        long[] counts = new long[2 * (input.dim() - 1)];
        counts[counts.length - 2] = size / 2;
        counts[counts.length - 1] = (size - 1) / 2;
        Tensor sums = input.square().pad(0, counts).unfold(1, size, 1).sum(-1);
        Tensor means = input.dtype().isFloating() ? sums.div(size) : sums.div(size, DivMode.TRUNC);
        return input.div(means.mul(alpha).add(k).pow(beta));
    }
}

package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.CastRules;
import dev.outpost.internal.IndexTerms;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Linear layers, embeddings, dropout and normalizations. A part of {@link Functional}. */
abstract sealed class LayerFunctions permits WindowFunctions {

    // ---- layers

    /**
     * Computes input · weightᵀ + bias.
     *
     * {@snippet file="ModuleExamplesTest.java" region="functionalLinear"}
     *
     * @param input {@code [..., in]}
     * @param weight {@code [out, in]}
     * @param bias {@code [out]}, or null
     * @return {@code [..., out]}
     * @throws OpException if the sizes do not fit, or the dtypes differ
     */
    public static Tensor linear(Tensor input, Tensor weight, @Nullable Tensor bias) {
        ArgumentChecks.required(input, "the input");
        ArgumentChecks.required(weight, "the weight");
        if (weight.dim() != 2 || input.dim() == 0 || input.size(-1) != weight.size(1)) {
            throw new OpException(
                    "linear", "the weight does not fit the input, got " + weight.shape() + " and " + input.shape());
        }
        return Scope.tidy(() -> {
            Tensor product = input.matmul(weight.t());
            return bias == null ? product : product.add(CastRules.likeProduct(bias, product));
        });
    }

    /**
     * Zeroes elements with probability p while training, and divides the others by 1 - p.
     *
     * {@snippet file="ModuleExamplesTest.java" region="dropout"}
     *
     * @param p the probability, in [0, 1]
     */
    public static Tensor dropout(Tensor input, double p, boolean training) {
        ArgumentChecks.required(input, "the input");
        if (!(p >= 0 && p <= 1)) {
            throw new OpException("dropout", "the probability must be between 0 and 1, got " + p);
        }
        if (!training || p == 0) {
            return input;
        }
        double scale = p == 1 ? 0 : 1 / (1 - p);
        return Scope.tidy(
                () -> input.mul(input.randLike().ge(p).to(input.dtype()).mul(scale)));
    }

    /**
     * Normalizes to mean 0 and variance 1 over the last dimensions, then computes weight · x + bias (Ba et al., 2016). 16-bit floats are
     * computed in float32.
     *
     * {@snippet file="ModuleExamplesTest.java" region="functionalLayerNorm"}
     *
     * @param normalizedShape the last sizes of the input
     * @param weight the factors, of the normalized shape, or null
     * @param bias the summands, of the normalized shape, or null
     */
    public static Tensor layerNorm(
            Tensor input, long[] normalizedShape, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        int[] dims = lastDims(input, normalizedShape);
        requireShape("layer_norm", "weight", weight, normalizedShape);
        requireShape("layer_norm", "bias", bias, normalizedShape);
        return Scope.tidy(() -> {
            Tensor wide = input.dtype().bytes() == 2 ? input.float32() : input;
            Tensor centered = wide.sub(wide.mean(dims, true));
            Tensor variance = centered.square().mean(dims, true);
            Tensor normal = centered.mul(variance.add(eps).rsqrt());
            Tensor scaled = weight == null ? normal : normal.mul(weight);
            return (bias == null ? scaled : scaled.add(bias)).to(input.dtype());
        });
    }

    private static void requireShape(String op, String name, @Nullable Tensor tensor, long... sizes) {
        if (tensor != null && !tensor.shape().equals(Shape.of(sizes))) {
            throw new OpException(
                    op, "the " + name + " must have the shape " + Arrays.toString(sizes) + ", got " + tensor.shape());
        }
    }

    private static int[] lastDims(Tensor input, long[] normalizedShape) {
        int first = ArgumentChecks.required(input, "the input").dim() - normalizedShape.length;
        boolean fits = first >= 0
                && normalizedShape.length > 0
                && Arrays.equals(Arrays.copyOfRange(input.shape().toArray(), first, input.dim()), normalizedShape);
        if (!fits) {
            throw new OpException(
                    "layer_norm",
                    "the input must end in the normalized shape, got " + input.shape() + " and "
                            + Arrays.toString(normalizedShape));
        }
        return IntStream.range(first, input.dim()).toArray();
    }

    /**
     * Looks up rows of a table.
     *
     * @param indices integers of any shape
     * @param weight {@code [rows, size]}
     * @return {@code [..., size]}
     */
    public static Tensor embedding(Tensor indices, Tensor weight) {
        ArgumentChecks.required(indices, "the indices");
        if (weight.dim() != 2 || !indices.dtype().isIntegral()) {
            throw new OpException(
                    "embedding",
                    "integers and a matrix are needed, got " + indices.type() + " and " + weight.type()
                            + (indices.dtype().isIntegral()
                                    ? ""
                                    : "; cast the indices with " + DTypeAdvice.cast(DType.INT64)));
        }
        return Scope.tidy(() -> {
            long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.dim() + 1);
            sizes[indices.dim()] = weight.size(1);
            Tensor rows = IndexTerms.named(
                    "embedding",
                    "index",
                    "rows",
                    weight,
                    () -> weight.indexSelect(0, indices.int64().flatten()));
            return rows.reshape(sizes);
        });
    }

    /**
     * Returns zeros with a 1 at each index: {@code [...]} gives {@code [..., classes]} (int64).
     *
     * {@snippet file="ModuleExamplesTest.java" region="oneHot"}
     */
    public static Tensor oneHot(Tensor indices, long classes) {
        if (!indices.dtype().isIntegral()) {
            throw new OpException("one_hot", DTypeAdvice.expected("the indices", DType.INT64, indices.dtype()));
        }
        return Scope.tidy(() -> {
            long[] sizes = Arrays.copyOf(indices.shape().toArray(), indices.dim() + 1);
            sizes[indices.dim()] = classes;
            Tensor positions = indices.int64();
            return positions.newZeros(sizes).scatter(-1, positions.unsqueeze(-1), 1);
        });
    }

    /**
     * Like {@link #oneHot(Tensor, long)}, but with one class more than the largest index. Waits for the largest
     * index.
     */
    public static Tensor oneHot(Tensor indices) {
        return Scope.tidy(() -> oneHot(indices, indices.max().itemLong() + 1));
    }

    // ---- normalizations

    /**
     * Computes {@link #layerNorm}, and also returns the mean and the deviation. Their normalized dimensions have size
     * 1.
     */
    public static Normalized nativeLayerNorm(
            Tensor input, long[] normalizedShape, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        return Scope.tidy(
                () -> {
                    Normalized statistics = Normalizing.over(input, eps, lastDims(input, normalizedShape));
                    return new Normalized(
                            layerNorm(input, normalizedShape, weight, bias, eps),
                            statistics.mean(),
                            statistics.inverseDeviation());
                },
                Normalized::tensors);
    }

    /** Like {@link #nativeBatchNorm}, but returns no statistics. */
    public static Tensor batchNorm(
            Tensor input,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            boolean training,
            double momentum,
            double eps) {
        return Scope.tidy(
                () -> nativeBatchNorm(input, weight, bias, runningMean, runningVariance, training, momentum, eps)
                        .output());
    }

    /**
     * Normalizes each channel (dimension 1) to mean 0 and variance 1 over all other dimensions, then scales and shifts it.
     *
     * @param runningMean the running mean: training moves it towards the batch's mean, evaluation uses it instead; null in training if
     *     none is kept
     * @param runningVariance the running variance, used in the same way
     * @param momentum the weight of the batch in both
     * @return the result with the statistics of the batch, which have no elements in evaluation
     */
    public static Normalized nativeBatchNorm(
            Tensor input,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            boolean training,
            double momentum,
            double eps) {
        Normalizing.RunningStatistics running =
                new Normalizing.RunningStatistics(runningMean, runningVariance, momentum);
        return Scope.tidy(() -> Normalizing.batch(input, running, weight, bias, training, eps), Normalized::tensors);
    }

    /** Like {@link #batchNorm} in training, but for each sample separately. */
    public static Tensor instanceNorm(
            Tensor input,
            @Nullable Tensor runningMean,
            @Nullable Tensor runningVariance,
            @Nullable Tensor weight,
            @Nullable Tensor bias,
            double momentum,
            double eps) {
        return Scope.tidy(() -> {
            Normalizing.RunningStatistics running =
                    new Normalizing.RunningStatistics(runningMean, runningVariance, momentum);
            return Normalizing.instance(input, running, weight, bias, eps);
        });
    }

    /** Normalizes each sample over groups of channels, then scales and shifts each channel. */
    public static Tensor groupNorm(
            Tensor input, int groups, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        return Scope.tidy(() -> Normalizing.group(input, groups, weight, bias, eps));
    }

    /** Computes input / (k + alpha · mean square of {@code size} neighbouring channels)^beta. */
    public static Tensor localResponseNorm(Tensor input, long size, double alpha, double beta, double k) {
        return Scope.tidy(() -> Normalizing.localResponse(input, size, alpha, beta, k));
    }
}

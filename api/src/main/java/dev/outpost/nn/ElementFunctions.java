package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.OpRecording;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/** Attention, pairs of vectors, pixels, activations and distances. A part of {@link Functional}. */
abstract sealed class ElementFunctions extends ResizingFunctions permits LossFunctions {

    // ---- attention, pairs, pixels

    /**
     * Computes {@code scaledDotProductAttention(query, key, value, null, isCausal)}: attention without a mask, with a scale of
     * 1 / √features.
     *
     * {@snippet file="ModuleExamplesTest.java" region="scaledDotProductAttention"}
     *
     * @param query {@code [..., heads, queries, features]}
     * @param key {@code [..., groups, keys, features]}
     * @param value {@code [..., groups, keys, value features]}
     * @param isCausal true if a query attends only to the keys up to its own position
     */
    public static ScaledDotProductAttention scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, boolean isCausal) {
        return scaledDotProductAttention(query, key, value, null, isCausal);
    }

    /** Uses a scale of 1 / √features. */
    public static ScaledDotProductAttention scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask, boolean isCausal) {
        return ScaledDotProductAttention.of(query, key, value, mask, isCausal, ScaledDotProductAttention.scale(query));
    }

    /**
     * Computes softmax(scale · q · kᵀ + mask) · v. Heads are the third dimension from the end. If keys and values have fewer heads,
     * neighbouring heads share them (grouped heads). Other leading dimensions broadcast.
     *
     * @param query {@code [..., heads, queries, features]}
     * @param key {@code [..., groups, keys, features]}
     * @param value {@code [..., groups, keys, value features]}
     * @param mask broadcasts to {@code [..., heads, queries, keys]}: bool, true if a query attends to a key, or numbers that are added; or
     *     null. The result of a query without keys is NaN. With a bool mask such a query has no gradient
     * @param isCausal true if a query attends only to the keys up to its own position; then the mask must be null
     * @param scale the factor of the products of queries and keys
     */
    public static ScaledDotProductAttention scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask, boolean isCausal, double scale) {
        return ScaledDotProductAttention.of(query, key, value, mask, isCausal, scale);
    }

    /** Computes {@code first · weight[o] · second} for each output feature o, plus a bias that may be null. */
    public static Tensor bilinear(Tensor first, Tensor second, Tensor weight, @Nullable Tensor bias) {
        return Scope.tidy(() -> {
            Tensor product = first.einsum("...i,oij,...j->...o", weight, second);
            return bias == null ? product : product.add(bias);
        });
    }

    /**
     * Makes columns of the windows of images: {@code [n, c, h, w]} becomes {@code [n, c · window, count]} (im2col). Each pair is for height
     * and width.
     */
    public static Tensor unfold(Tensor input, long[] window, long[] dilation, long[] padding, long[] stride) {
        return Scope.tidy(() -> SlidingWindows.columns(input, window, dilation, padding, stride));
    }

    /**
     * Adds columns into images, each element at the place from which {@link #unfold} takes it: {@code [n, c · window, count]} becomes
     * {@code [n, c, height, width]} (col2im). Each pair is for height and width.
     *
     * @param input the columns, with or without the dimension of the batch
     * @param output height and width of the images
     */
    public static Tensor fold(
            Tensor input, long[] output, long[] window, long[] dilation, long[] padding, long[] stride) {
        return Scope.tidy(() -> SlidingWindows.images(input, output, window, dilation, padding, stride));
    }

    /** Makes squares of pixels of channels: {@code [..., c · r², h, w]} becomes {@code [..., c, h · r, w · r]}. */
    public static Tensor pixelShuffle(Tensor input, int factor) {
        return PixelShuffling.shuffle(input, factor);
    }

    /** Returns the inverse of {@link #pixelShuffle}. */
    public static Tensor pixelUnshuffle(Tensor input, int factor) {
        return PixelShuffling.unshuffle(input, factor);
    }

    /**
     * Looks up rows like {@link #embedding}, and combines the rows of each bag into one.
     *
     * @param indices a matrix, each row a bag
     * @param rowWeights factors of the rows, for sums only, or null
     */
    public static Tensor embeddingBag(Tensor indices, Tensor weight, BagMode mode, @Nullable Tensor rowWeights) {
        return Scope.tidy(() -> Bags.ofRows(indices, weight, mode, rowWeights));
    }

    /**
     * Like {@link #embeddingBag(Tensor, Tensor, BagMode, Tensor)}, but for a vector of indices; each bag begins at an
     * offset.
     */
    public static Tensor embeddingBag(
            Tensor indices, Tensor weight, Tensor offsets, BagMode mode, @Nullable Tensor rowWeights) {
        return Scope.tidy(() -> Bags.of(indices, weight, offsets, mode, rowWeights));
    }

    // ---- activations

    public static Tensor relu(Tensor input) {
        return ArgumentChecks.required(input, "the input").relu();
    }

    public static Tensor gelu(Tensor input) {
        return ArgumentChecks.required(input, "the input").gelu();
    }

    public static Tensor silu(Tensor input) {
        return ArgumentChecks.required(input, "the input").silu();
    }

    public static Tensor softplus(Tensor input) {
        return ArgumentChecks.required(input, "the input").softplus();
    }

    public static Tensor leakyRelu(Tensor input, double slope) {
        return ArgumentChecks.required(input, "the input").leakyRelu(slope);
    }

    public static Tensor softmax(Tensor input, int dim) {
        return ArgumentChecks.required(input, "the input").softmax(dim);
    }

    public static Tensor logSoftmax(Tensor input, int dim) {
        return ArgumentChecks.required(input, "the input").logSoftmax(dim);
    }

    // ---- distances

    /** Divides the input by its p-norm along a dimension; norms below eps count as eps. */
    public static Tensor normalize(Tensor input, double p, int dim, double eps) {
        return Scope.tidy(() -> input.div(input.norm(p, dim, true).clampMin(eps)));
    }

    /** Same as {@code normalize(input, 2, dim, 1e-12)}. */
    public static Tensor normalize(Tensor input, int dim) {
        return normalize(input, 2, dim, 1e-12);
    }

    /** Returns the cosine of the angle between two vectors along a dimension; norms below eps count as eps. */
    public static Tensor cosineSimilarity(Tensor first, Tensor second, int dim, double eps) {
        return Scope.tidy(() -> {
            DType dtype = OpRecording.resultType(first, second);
            Shape shape = Tensors.broadcastShapes(first.shape(), second.shape());
            Tensor left = unit(first.to(dtype).expand(shape), dim, eps);
            return left.mul(unit(second.to(dtype).expand(shape), dim, eps)).sum(dim);
        });
    }

    /** Divides vectors by their norm. As in PyTorch, a gradient flows through the norm even if it is below eps. */
    private static Tensor unit(Tensor vectors, int dim, double eps) {
        Tensor norm = vectors.norm(2, dim, true);
        Tensor missing = GradMode.noGrad(() -> norm.clampMin(eps).sub(norm));
        return vectors.div(norm.add(missing));
    }

    /** Same as {@code cosineSimilarity(first, second, dim, 1e-8)}. */
    public static Tensor cosineSimilarity(Tensor first, Tensor second, int dim) {
        return cosineSimilarity(first, second, dim, 1e-8);
    }

    /** Returns the p-norm of first - second + eps along the last dimension. */
    public static Tensor pairwiseDistance(Tensor first, Tensor second, double p, double eps, boolean keepDim) {
        return Scope.tidy(() -> first.sub(second).add(eps).norm(p, -1, keepDim));
    }

    /** Same as {@code pairwiseDistance(first, second, 2, 1e-6, false)}. */
    public static Tensor pairwiseDistance(Tensor first, Tensor second) {
        return pairwiseDistance(first, second, 2, 1e-6, false);
    }
}

package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.UnaryOperator;

/**
 * The options of a transformer's layers, with PyTorch's defaults.
 *
 * @param features the features of each token (d_model)
 * @param heads the number of heads of each attention (nhead)
 * @param feedForward the features between the two linear layers (dim_feedforward)
 * @param dropout the probability that an element is dropped while training
 * @param activation the function between the two linear layers
 * @param layerNormEps the number that keeps variances from zero
 * @param batchFirst true if a batch is {@code [batch, length, features]} rather than {@code [length, batch, features]}
 * @param normFirst true to normalize a part's input instead of its output
 * @param bias true if linear layers and norms have biases
 */
public record TransformerOptions(
        long features,
        int heads,
        long feedForward,
        double dropout,
        UnaryOperator<Tensor> activation,
        double layerNormEps,
        boolean batchFirst,
        boolean normFirst,
        boolean bias) {
    public TransformerOptions {
        ArgumentChecks.required(activation, "the activation");
        if (!(dropout >= 0 && dropout <= 1)) {
            throw new OpException("transformer", "the probability of dropout must be between 0 and 1, got " + dropout);
        }
    }

    /** Returns options with 2,048 features between the linear layers, a dropout of 0.1, ReLU, and norms after each part. */
    public static TransformerOptions of(long features, int heads) {
        return new TransformerOptions(features, heads, 2048, 0.1, Tensor::relu, 1e-5, false, false, true);
    }

    public TransformerOptions feedForward(long newFeedForward) {
        return new TransformerOptions(
                features, heads, newFeedForward, dropout, activation, layerNormEps, batchFirst, normFirst, bias);
    }

    public TransformerOptions dropout(double probability) {
        return new TransformerOptions(
                features, heads, feedForward, probability, activation, layerNormEps, batchFirst, normFirst, bias);
    }

    public TransformerOptions activation(UnaryOperator<Tensor> newActivation) {
        return new TransformerOptions(
                features, heads, feedForward, dropout, newActivation, layerNormEps, batchFirst, normFirst, bias);
    }

    public TransformerOptions layerNormEps(double eps) {
        return new TransformerOptions(
                features, heads, feedForward, dropout, activation, eps, batchFirst, normFirst, bias);
    }

    public TransformerOptions batchFirst(boolean isFirst) {
        return new TransformerOptions(
                features, heads, feedForward, dropout, activation, layerNormEps, isFirst, normFirst, bias);
    }

    public TransformerOptions normFirst(boolean isFirst) {
        return new TransformerOptions(
                features, heads, feedForward, dropout, activation, layerNormEps, batchFirst, isFirst, bias);
    }

    public TransformerOptions bias(boolean hasBias) {
        return new TransformerOptions(
                features, heads, feedForward, dropout, activation, layerNormEps, batchFirst, normFirst, hasBias);
    }

    MultiheadAttention attention() {
        return new MultiheadAttention(
                features,
                heads,
                MultiheadAttentionOptions.defaults().dropout(dropout).bias(bias).batchFirst(batchFirst));
    }

    LayerNorm norm() {
        return new LayerNorm(Shape.of(features), layerNormEps, true, bias);
    }
}

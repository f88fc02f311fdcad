package dev.outpost.nn;

import dev.outpost.types.OpException;
import java.util.OptionalLong;

/**
 * The options of {@link MultiheadAttention}, in addition to its sizes, with PyTorch's defaults.
 *
 * @param dropout the probability that a weight of attention is dropped while training
 * @param bias true if projections have biases
 * @param addBiasKv true to add a learned row to keys and to values
 * @param addZeroAttention true to add a row of zeros to keys and to values
 * @param keySize the number of features of keys; if empty, as many as queries have
 * @param valueSize the number of features of values; if empty, as many as queries have
 * @param batchFirst true if a batch is {@code [batch, length, features]} rather than {@code [length, batch, features]}
 */
public record MultiheadAttentionOptions(
        double dropout,
        boolean bias,
        boolean addBiasKv,
        boolean addZeroAttention,
        OptionalLong keySize,
        OptionalLong valueSize,
        boolean batchFirst) {
    public MultiheadAttentionOptions {
        if (!(dropout >= 0 && dropout <= 1)) {
            throw new OpException(
                    "multihead_attention", "the probability of dropout must be between 0 and 1, got " + dropout);
        }
    }

    /** Returns options with biases and without anything else. */
    public static MultiheadAttentionOptions defaults() {
        return new MultiheadAttentionOptions(0, true, false, false, OptionalLong.empty(), OptionalLong.empty(), false);
    }

    public MultiheadAttentionOptions dropout(double probability) {
        return new MultiheadAttentionOptions(
                probability, bias, addBiasKv, addZeroAttention, keySize, valueSize, batchFirst);
    }

    public MultiheadAttentionOptions bias(boolean hasBias) {
        return new MultiheadAttentionOptions(
                dropout, hasBias, addBiasKv, addZeroAttention, keySize, valueSize, batchFirst);
    }

    public MultiheadAttentionOptions addBiasKv(boolean isAdded) {
        return new MultiheadAttentionOptions(dropout, bias, isAdded, addZeroAttention, keySize, valueSize, batchFirst);
    }

    public MultiheadAttentionOptions addZeroAttention(boolean isAdded) {
        return new MultiheadAttentionOptions(dropout, bias, addBiasKv, isAdded, keySize, valueSize, batchFirst);
    }

    public MultiheadAttentionOptions keySize(long features) {
        return new MultiheadAttentionOptions(
                dropout, bias, addBiasKv, addZeroAttention, OptionalLong.of(features), valueSize, batchFirst);
    }

    public MultiheadAttentionOptions valueSize(long features) {
        return new MultiheadAttentionOptions(
                dropout, bias, addBiasKv, addZeroAttention, keySize, OptionalLong.of(features), batchFirst);
    }

    public MultiheadAttentionOptions batchFirst(boolean isFirst) {
        return new MultiheadAttentionOptions(dropout, bias, addBiasKv, addZeroAttention, keySize, valueSize, isFirst);
    }
}

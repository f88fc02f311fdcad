package dev.outpost.nn;

import dev.outpost.types.OpException;

/**
 * The options of recurrent layers, in addition to their sizes, with PyTorch's defaults.
 *
 * @param layers the number of stacked layers; each layer reads the outputs of the layer below
 * @param bias true if there are biases
 * @param batchFirst true if a batch is {@code [batch, time, features]} rather than {@code [time, batch, features]}
 * @param dropout the probability that an output between two layers is dropped while training
 * @param bidirectional true if a second direction reads each sequence from its end
 */
public record RecurrentOptions(int layers, boolean bias, boolean batchFirst, double dropout, boolean bidirectional) {
    public RecurrentOptions {
        if (layers < 1) {
            throw new OpException("rnn", "at least one layer is needed, got " + layers);
        }
        if (!(dropout >= 0 && dropout <= 1)) {
            throw new OpException("rnn", "the probability of dropout must be between 0 and 1, got " + dropout);
        }
    }

    /** Returns options for one layer in one direction, with biases, for batches that begin with time. */
    public static RecurrentOptions defaults() {
        return new RecurrentOptions(1, true, false, 0, false);
    }

    /** Returns these options with another number of layers. */
    public RecurrentOptions layers(int count) {
        return new RecurrentOptions(count, bias, batchFirst, dropout, bidirectional);
    }

    /** Returns these options with or without biases. */
    public RecurrentOptions bias(boolean hasBias) {
        return new RecurrentOptions(layers, hasBias, batchFirst, dropout, bidirectional);
    }

    /** Returns these options for batches {@code [batch, time, features]}, or {@code [time, batch, features]}. */
    public RecurrentOptions batchFirst(boolean isFirst) {
        return new RecurrentOptions(layers, bias, isFirst, dropout, bidirectional);
    }

    /** Returns these options with another probability of dropout between layers. */
    public RecurrentOptions dropout(double probability) {
        return new RecurrentOptions(layers, bias, batchFirst, probability, bidirectional);
    }

    /** Returns these options with one direction or two. */
    public RecurrentOptions bidirectional(boolean isBidirectional) {
        return new RecurrentOptions(layers, bias, batchFirst, dropout, isBidirectional);
    }

    int directions() {
        return bidirectional ? 2 : 1;
    }
}

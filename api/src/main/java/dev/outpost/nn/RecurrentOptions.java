package dev.outpost.nn;

import dev.outpost.types.OpException;

/**
 * The options of recurrent layers beside their sizes, with PyTorch's defaults.
 *
 * @param layers how many are stacked; each reads the outputs of the one below
 * @param bias whether there are biases
 * @param batchFirst whether a batch is {@code [batch, time, features]} rather than {@code [time, batch, features]}
 * @param dropout the probability that an output between two layers is dropped while training
 * @param bidirectional whether a second direction reads each sequence from its end
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

    /** One layer in one direction, with biases, of batches that begin with time. */
    public static RecurrentOptions defaults() {
        return new RecurrentOptions(1, true, false, 0, false);
    }

    /** With so many layers. */
    public RecurrentOptions layers(int count) {
        return new RecurrentOptions(count, bias, batchFirst, dropout, bidirectional);
    }

    /** With or without biases. */
    public RecurrentOptions bias(boolean hasBias) {
        return new RecurrentOptions(layers, hasBias, batchFirst, dropout, bidirectional);
    }

    /** With batches {@code [batch, time, features]}, or {@code [time, batch, features]}. */
    public RecurrentOptions batchFirst(boolean isFirst) {
        return new RecurrentOptions(layers, bias, isFirst, dropout, bidirectional);
    }

    /** With that probability of dropout between layers. */
    public RecurrentOptions dropout(double probability) {
        return new RecurrentOptions(layers, bias, batchFirst, probability, bidirectional);
    }

    /** With one direction or two. */
    public RecurrentOptions bidirectional(boolean isBidirectional) {
        return new RecurrentOptions(layers, bias, batchFirst, dropout, isBidirectional);
    }

    int directions() {
        return bidirectional ? 2 : 1;
    }
}
